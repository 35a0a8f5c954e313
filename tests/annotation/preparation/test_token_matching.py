"""Words of CoNLL-U matched with our tokens."""

from pathlib import Path

import pytest

from annotation.formats.conllu import Word
from annotation.formats.errors import InputError
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.token_matching import Surface, to_tokens
from annotation.preparation.tokens import plain_words, tokenize
from annotation.preparation.trees import leaves
from tests.annotation.formats.conllu_files import read_conllu


def matched(
    words: list[Word], tokens: list[str], surfaces: list[Surface] | None = None
) -> list[tuple[str, str, int, str]]:
    plain = [(word.form, number, number + 1) for number, word in enumerate(words)]
    found = to_tokens(words, surfaces or plain, tokens, "trees, line 1")
    assert [word.form for word in found] == tokens
    return [(word.form, word.upos, word.head, word.relation) for word in found]


def test_the_same_words_stay() -> None:
    words = [Word("a", "DET", 1, "det"), Word("dog", "NOUN", -1, "root")]
    assert to_tokens(words, [("a", 0, 1), ("dog", 1, 2)], ["a", "dog"], "x") == words


def test_a_word_belongs_to_the_token_with_most_of_it() -> None:
    words = [
        Word("I", "PRON", 3, "nsubj"),
        Word("ca", "AUX", 3, "aux"),
        Word("n't", "PART", 3, "advmod"),
        Word("go", "VERB", -1, "root"),
    ]
    assert matched(words, ["I", "can", "'t", "go"])[1:3] == [
        ("can", "AUX", 3, "aux"),
        ("'t", "PART", 3, "advmod"),
    ]


def test_a_token_of_several_words_has_the_head_of_the_topmost() -> None:
    words = [
        Word("eye", "NOUN", 2, "compound"),
        Word("-", "PUNCT", 0, "punct"),
        Word("tracking", "NOUN", 3, "compound"),
        Word("works", "VERB", -1, "root"),
    ]
    assert matched(words, ["eye-tracking", "works"]) == [
        ("eye-tracking", "NOUN", 1, "compound"),
        ("works", "VERB", -1, "root"),
    ]


def test_the_tokens_of_one_word_make_a_phrase() -> None:
    words = [Word("see", "VERB", -1, "root"), Word("(c)2014", "NUM", 0, "obj")]
    found = to_tokens(
        words, [("see", 0, 1), ("(c)2014", 1, 2)], ["see", "(", "c", ")", "2014"], "x"
    )
    assert [(word.upos, word.head) for word in found[1:]] == [
        ("PUNCT", 4),
        ("NUM", 4),
        ("PUNCT", 4),
        ("NUM", 0),
    ]


def test_words_that_do_not_spell_their_surface_share_it() -> None:
    words = [
        Word("zu", "ADP", 2, "case"),
        Word("dem", "DET", 2, "det"),
        Word("Haus", "NOUN", -1, "root"),
    ]
    surfaces = [("zum", 0, 2), ("Haus", 2, 3)]
    assert matched(words, ["zum", "Haus"], surfaces) == [
        ("zum", "ADP", 1, "case"),
        ("Haus", "NOUN", -1, "root"),
    ]


@pytest.mark.parametrize(
    ("form", "token"),
    [
        ("-LRB-", "("),
        ("“", '"'),
        ("''", '"'),
        ("…", "..."),
        ("–", "-"),
        ("’s", "'s"),
        ("&", "&amp;"),
        ("10 000", "10\u00a0000"),
        ("-", "@-@"),
        ("e\u0301", "é"),
    ],
)
def test_spelling_variants_match(form: str, token: str) -> None:
    assert matched([Word(form, "X", -1, "root")], [token]) == [(token, "X", -1, "root")]


def test_an_empty_token_depends_on_another() -> None:
    assert matched([Word("a", "X", -1, "root")], ["", "a"])[0] == ("", "X", 1, "flat")


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["a", "cat"], "after 'a' they go on with 'dog' where the source has 'cat'."),
        (["the", "dog"], "they begin with 'adog' where the source has 'thedog'."),
        (["a"], "after 'a' they go on with 'dog' where the source has ''."),
        ([], "they begin with 'adog' where the source has ''."),
    ],
)
def test_it_refuses_another_text(tokens: list[str], message: str) -> None:
    words = [Word("a", "DET", 1, "det"), Word("dog", "NOUN", -1, "root")]
    with pytest.raises(InputError) as raised:
        matched(words, tokens)
    assert str(raised.value) == f"trees, line 1: the words are not those of the source: {message}"


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "cs"])
def test_all_of_pud_matches_our_tokens(language: str, shared: Path) -> None:
    path = shared / "data" / "treebanks" / "pud" / f"{language}.conllu.gz"
    for sentence in read_conllu(path):
        # Its text, as far as tokens can tell, for it has no ranges.
        text = " ".join(text for text, _first, _stop in sentence.surfaces)
        tokens = plain_words(tokenize(text, language).words)
        tree = to_constituents(to_tokens(sentence.words, sentence.surfaces, tokens, str(path)))
        assert leaves(tree) == tuple(range(len(tokens)))

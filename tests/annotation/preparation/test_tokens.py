from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.tokens import detokenize, divide, highlight, tokenize, version

LANGUAGES = st.sampled_from(["en", "cs", "de", "fr", "fi", "it", "zh", "ko", "xx", "en-GB", ""])
TOKENS = st.lists(
    st.sampled_from(".,:;!?%()'\"„“”`-–$&")
    | st.sampled_from(["'s", "n't", "l'", "li", "@-@", "&quot;", "", "3", "les"])
    | st.text(max_size=8),
    max_size=12,
)


@pytest.mark.parametrize(
    ("text", "language", "tokens"),
    [
        ("I can't see Google's car.", "en", "I can 't see Google 's car ."),
        ("Řekl: „Ahoj,“ a odešel.", "cs", "Řekl : „ Ahoj , “ a odešel ."),
        ("AT&amp;T &lt;3 &quot;you&quot;", "en", 'AT & T < 3 " you "'),
        ("Q&notes &copyright", "en", "Q & notes & copyright"),
        ("１２％！", "en", "12 % !"),
        ("a\u00a0b\u200bc\u00add\ufeff", "en", "a bcd"),
        ("cafe\u0301", "fr", "caf\u00e9"),
        ("nothing\u2028but\x85one\x0cline", "en", "nothing but one line"),
    ],
)
def test_it_tokenises_as_moses_does(text: str, language: str, tokens: str) -> None:
    assert tokenize(text, language) == tokens.split(" ")


@pytest.mark.parametrize("blank", ["", " ", "\t\u00a0\u200b"])
def test_a_blank_text_has_no_tokens(blank: str) -> None:
    assert tokenize(blank, "en") == []


@given(st.text(), LANGUAGES)
def test_tokens_are_not_empty_and_have_no_space(text: str, language: str) -> None:
    assert all(token and not any(map(str.isspace, token)) for token in tokenize(text, language))


@pytest.mark.parametrize(
    ("tokens", "language", "text"),
    [
        ("He can 't see , he said .", "en", "He can't see, he said."),
        # sacremoses itself writes "I ’ m" here.
        (
            "I ’ m at the teams ’ games , can ’ t you ?",
            "en",
            "I’m at the teams ’ games, can’t you?",
        ),
        ("„ Ahoj , “ řekl .", "cs", "„Ahoj,“ řekl."),
        # sacremoses itself writes "roce2013" here.
        ("V roce 2013 jich bylo 5 .", "cs", "V roce 2013 jich bylo 5."),
        # sacremoses itself cannot do this one.
        ("je x' - li ,", "cs", "je x' - li ,"),
        ("long @-@ term &quot; plan &quot;", "en", 'long-term "plan"'),
        ("l' homme", "fr", "l'homme"),
        ("", "en", ""),
    ],
)
def test_it_detokenises(tokens: str, language: str, text: str) -> None:
    assert detokenize(tokens.split(" "), language) == text


@given(TOKENS, LANGUAGES, st.lists(st.integers(-2, 14)))
def test_pieces_are_the_whole_text(tokens: list[str], language: str, indices: list[int]) -> None:
    pieces = highlight(tokens, indices, language)
    assert "".join(text for text, _ in pieces) == detokenize(tokens, language)
    assert all(text for text, _ in pieces)
    assert all(one[1] != other[1] for one, other in pairwise(pieces))


@given(TOKENS, LANGUAGES)
def test_covering_everything_leaves_only_spaces_uncovered(tokens: list[str], language: str) -> None:
    pieces = highlight(tokens, range(len(tokens)), language)
    assert not any(text.strip() for text, inside in pieces if not inside)


def test_it_highlights_indices_with_a_gap() -> None:
    tokens = ["It", "is", ",", "he", "said", ",", "a", "good", "plan", "."]
    assert highlight(tokens, [0, 1, 6, 8], "en") == [
        ("It is", True),
        (", he said, ", False),
        ("a", True),
        (" good ", False),
        ("plan", True),
        (".", False),
    ]


def test_a_token_joined_to_its_neighbour_is_highlighted_alone() -> None:
    assert highlight(["(", "dog", ")"], [1], "en") == [("(", False), ("dog", True), (")", False)]


@given(TOKENS, LANGUAGES, st.dictionaries(st.integers(-2, 14), st.integers(0, 2)))
def test_divided_pieces_are_the_whole_text(
    tokens: list[str], language: str, owners: dict[int, int]
) -> None:
    pieces = divide(tokens, owners, language)
    assert "".join(text for text, _ in pieces) == detokenize(tokens, language)
    assert all(one[1] != other[1] for one, other in pairwise(pieces))


def test_adjacent_tokens_of_two_owners_are_two_pieces() -> None:
    tokens = ["He", "said", ":", "good", "plan"]
    assert divide(tokens, {0: 1, 1: 1, 3: 0, 4: 1}, "en") == [
        ("He said", 1),
        (": ", None),
        ("good", 0),
        (" ", None),
        ("plan", 1),
    ]


def test_it_names_its_version() -> None:
    assert version()[0].isdigit()


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "language", "different"),
    [("source", "en", 2), ("reference", "cs", 20), ("systems/onlineB", "cs", 20)],
)
def test_it_gives_the_tokens_of_the_thesis(
    shared: Path, name: str, language: str, different: int
) -> None:
    data = shared / "data" / "wmt14-en-cs"
    texts = (data / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    tokenised = (data / "first-half" / "tokenised" / f"{name}.txt").read_text(encoding="utf-8")
    wanted = tokenised.split("\n")[:1500]
    ours = [" ".join(tokenize(text, language)) for text in texts[:1500]]
    assert len(wanted) == 1500
    assert sum(one != other for one, other in zip(ours, wanted, strict=True)) <= different

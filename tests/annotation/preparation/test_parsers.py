from pathlib import Path

import pytest

from annotation.formats.conllu import ConlluSentence, Word, to_text
from annotation.formats.errors import InputError
from annotation.preparation.parsers import BracketsParser, ConlluParser, choose_parser
from annotation.preparation.stanza_parsers import stanza_folder
from annotation.preparation.trees import leaves, to_bracketed

TOKENS = [["the", "dog", "barks"], [], ["(", "he", ")"]]
TREES = ["(S (NP the dog) (VP barks))", "", "(S -LRB- he -RRB-)"]


def models(folder: Path, *names: str) -> Path:
    """A folder that looks like stanza's, with empty models."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_the_parser_phrases_needs_no_model() -> None:
    parser = choose_parser("phrases", language="cs")
    assert (parser.name, parser.version) == ("phrases", "1")
    assert [leaves(tree) for tree in parser.parse(TOKENS)] == [(0, 1, 2), (), (0, 1, 2)]


def test_it_refuses_an_unknown_parser() -> None:
    with pytest.raises(InputError, match="no parser 'berkeley'"):
        choose_parser("berkeley", language="en")


# --- brackets ----------------------------------------------------------------------------------


def test_it_reads_bracketed_trees() -> None:
    parser = BracketsParser(iter(TREES), "trees.txt")
    trees = list(parser.parse(TOKENS))
    assert parser.name == "brackets"
    assert parser.version.startswith("nltk 3")
    assert [leaves(tree) for tree in trees] == [(0, 1, 2), (), (0, 1, 2)]
    assert to_bracketed(trees[2], TOKENS[2]) == TREES[2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S a b)", "trees.txt, line 3: the tree has 2 leaves but the sentence has 3 tokens;"),
        ("(S a b c", "trees.txt, line 3: this is not a tree: brackets that are not closed"),
        ("", "trees.txt, line 3: the tree has 0 leaves but the sentence has 3 tokens;"),
    ],
)
def test_it_refuses_a_tree_of_another_sentence(line: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        list(BracketsParser([*TREES[:2], line], "trees.txt").parse(TOKENS))
    assert str(raised.value).startswith(message)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("trees", [TREES[:2], [*TREES, "(S x)"]])
def test_it_refuses_another_number_of_trees(trees: list[str]) -> None:
    with pytest.raises(InputError, match=r"^trees\.txt: the number of trees"):
        list(BracketsParser(trees, "trees.txt").parse(TOKENS))


# --- stanza ------------------------------------------------------------------------------------


def test_auto_without_models_is_embedded_or_phrases(tmp_path: Path) -> None:
    for language in ("en", "eng", "EN", "en-GB", "en_US", "eng_Latn"):
        assert choose_parser("auto", language=language, models=tmp_path).name == "embedded"
    assert choose_parser("auto", language="cs", models=tmp_path).name == "phrases"


def test_auto_is_stanza_if_there_is_a_model(tmp_path: Path) -> None:
    models(tmp_path, "resources.json", "en/pos/ptb.pt", "en/constituency/ptb.pt")
    assert choose_parser("auto", language="en", models=tmp_path).name == "stanza"
    assert choose_parser("auto", language="en-GB", models=tmp_path).name == "stanza"
    assert choose_parser("auto", language="cs", models=tmp_path).name == "phrases"


@pytest.mark.parametrize(
    ("language", "folder"),
    [
        *(("zh", "zh-hans"), ("zh-CN", "zh-hans"), ("zh-Hant", "zh-hant"), ("zh-TW", "zh-hant")),
        *(("no", "nb"), ("nb", "nb"), ("nn", "nn"), ("ces", "cs")),
    ],
)
def test_models_are_where_stanza_stores_them(tmp_path: Path, language: str, folder: str) -> None:
    models(tmp_path, "resources.json", f"{folder}/pos/a.pt", f"{folder}/depparse/a.pt")
    assert choose_parser("auto", language=language, models=tmp_path).name == "stanza"


@pytest.mark.parametrize(
    "names",
    [
        (),
        ("resources.json", "en/pos/ptb.pt"),
        ("en/pos/ptb.pt", "en/constituency/ptb.pt"),
    ],
)
def test_a_model_needs_all_its_parts(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert stanza_folder("en", models(tmp_path, *names)) is None


def test_auto_is_stanza_if_there_is_a_dependency_model(tmp_path: Path) -> None:
    models(tmp_path, "resources.json", "cs/pos/pdt.pt", "cs/depparse/pdt.pt")
    assert choose_parser("auto", language="cs", models=tmp_path).version.endswith("conversion 1")
    assert choose_parser("auto", language="en", models=tmp_path).name == "embedded"


def test_the_error_for_a_missing_model_has_the_download_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`stanza\.download\('en', .*constituency.*\)`"):
        choose_parser("stanza", language="en", models=tmp_path)


def test_the_error_for_a_broken_model_has_the_download_command(tmp_path: Path) -> None:
    models(tmp_path, "en/pos/ptb.pt", "en/constituency/ptb.pt")
    (tmp_path / "resources.json").write_text("{}")
    parser = choose_parser("stanza", language="en", models=tmp_path)
    with pytest.raises(InputError, match=r"`stanza\.download\('en', "):
        list(parser.parse(TOKENS))


# --- conllu ------------------------------------------------------------------------------------


def test_it_reads_dependencies() -> None:
    stored = [to_text(sentence("the", "dog", "barks")), "", "(S -LRB- he -RRB-)"]
    parser = ConlluParser(stored, "trees.conllu")
    trees = list(parser.parse(TOKENS))
    assert parser.name == "conllu"
    assert [leaves(tree) for tree in trees] == [(0, 1, 2), (), (0, 1, 2)]
    assert to_bracketed(trees[0], TOKENS[0]).startswith("(ROOT (")


def test_the_error_for_dependencies_of_another_text_has_the_line() -> None:
    parser = ConlluParser([to_text(sentence("a", "cat"))], "trees.conllu")
    with pytest.raises(InputError) as raised:
        list(parser.parse([["a", "dog"]]))
    assert str(raised.value).startswith("trees.conllu, line 7 (line 1 of the source): the words")


def sentence(*forms: str) -> ConlluSentence:
    """Each word depends on the next one."""
    last = len(forms) - 1
    words = [
        Word(form, "NOUN", n + 1 if n < last else -1, "compound" if n < last else "root")
        for n, form in enumerate(forms)
    ]
    return ConlluSentence(7, tuple(words), tuple((f, n, n + 1) for n, f in enumerate(forms)))

from pathlib import Path

import pytest

from annotation.formats.conllu import (
    Word,
    from_text,
    pair_sentences,
    pair_with_lines,
    to_text,
)
from annotation.formats.errors import InputError
from tests.annotation.formats.conllu_files import read_conllu

GOOD = """\
# sent_id = 1
# text = It can't.
1\tIt\tit\tPRON\tPRP\tCase=Nom\t2\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tca\tcan\tAUX\tMD\tVerbForm=Fin\t0\troot\t_\t_
3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_
3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t2:xcomp\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 2


1\t10 000\t10000\tNUM\tCD\t_\t0\troot\t_\t_
"""
WORD = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "trees.conllu"
    path.write_text(GOOD)
    return path


def test_it_reads_words_and_ranges(file: Path) -> None:
    first, second = read_conllu(file)
    assert first.line == 3
    assert first.words == (
        Word("It", "PRON", 1, "nsubj", "Case=Nom"),
        Word("ca", "AUX", -1, "root", "VerbForm=Fin"),
        Word("n't", "PART", 1, "advmod"),
        Word(".", "PUNCT", 1, "punct"),
    )
    assert first.surfaces == (("It", 0, 1), ("can't", 1, 3), (".", 3, 4))
    assert (second.line, second.words[0].form) == (13, "10 000")


def test_a_stored_sentence_is_read_back(file: Path) -> None:
    for sentence in read_conllu(file):
        assert from_text(to_text(sentence), "trees.conllu") == sentence


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a dog barks"], "line 1: 1 columns where CoNLL-U has 10, separated by tabs."),
        ([WORD.replace("1", "one", 1)], "line 1: the id 'one' is not of the form 3, 3-4 or 3.1."),
        ([WORD, WORD], "line 2: the id is 1, but the next one is 2:"),
        ([WORD.replace("\t0\t", "\t_\t")], "line 1: the head '_' is not the number of a word:"),
        ([WORD.replace("\t0\t", "\t2\t")], "line 1: the head of word 1 is 2, but the sentence"),
        ([WORD.replace("\t0\t", "\t1\t")], "line 1: word 1 depends on itself through its heads"),
        ([WORD.replace("\ta\ta\t", "\t \ta\t")], "line 1: the second column, the word, is empty."),
        ([WORD.replace("X", "(X")], "line 1: the part of speech '(X' or the relation 'root' is"),
        (["1-1" + WORD[1:], WORD], "line 1: the range 1-1 does not cover two or more new words."),
        (["1-3" + WORD[1:], WORD], "line 1: the sentence ends before its last word."),
        (["", WORD.replace("1", "2", 1)], "line 2: the id is 2, but the next one is 1:"),
        ([WORD.replace("1", str(n), 1) for n in range(1, 2002)], "line 2001: a sentence of more"),
    ],
)
def test_it_refuses_malformed_sentences(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "trees.conllu"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError) as raised:
        list(read_conllu(path))
    assert str(raised.value).startswith(f"{path}, {message}")
    assert "\n" not in str(raised.value)


def test_blank_lines_of_the_source_have_no_sentence(file: Path) -> None:
    texts = list(pair_with_lines(file, ["It can't.", " ", "10 000"], Path("source.txt")))
    assert texts[1] == ""
    assert [from_text(text, "x").line for text in texts if text] == [3, 13]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a"], "trees.conllu, line 13: there is no line of source.txt left for this sentence:"),
        (["a", "b", "", "c"], "trees.conllu: there is no sentence for line 4 of source.txt:"),
    ],
)
def test_it_refuses_another_number_of_sentences(file: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        list(pair_with_lines(file, lines, Path("source.txt")))
    assert message in str(raised.value)


def test_it_collects_errors_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "trees.conllu"
    path.write_text(f"{WORD}\n\n{WORD}\textra\n\n{WORD}\n")
    errors: list[InputError] = []

    pairs = list(pair_sentences(path, ["a", "b", "", "c", "d"], Path("s"), errors.append))

    assert [(line, sentence is not None) for line, sentence in pairs] == [
        ("a", True), ("b", False), ("", False), ("c", True),
    ]  # fmt: skip
    assert [error.place[1] for error in errors] == [3, 0]


@pytest.mark.shared
def test_it_reads_real_treebanks(shared: Path) -> None:
    for language in ("en", "cs"):
        path = shared / "data" / "treebanks" / "pud" / f"{language}.conllu.gz"
        assert sum(1 for _sentence in read_conllu(path)) == 1000

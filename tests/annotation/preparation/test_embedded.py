import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.errors import InputError
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.embedded.cky import best_spans
from annotation.preparation.embedded.model import WEIGHTS, description
from annotation.preparation.embedded.parser import (
    LONGEST_SENTENCE,
    EmbeddedParser,
    parts_of,
)
from annotation.preparation.embedded.wordpieces import MOST_PIECES, Pieces, Shape, shape
from annotation.preparation.parsers import EMPTY, choose_parser
from annotation.preparation.trees import Node, from_bracketed, leaves, to_bracketed
from tests.conftest import REPOSITORY
from tests.load.parsing import Measured, development, measure, thesis

TEXT = "The old dog of my neighbour barks at every cat that it sees in the garden ."
SENTENCE = TEXT.split()
ODD = [
    [""],
    ["", " ", "\u00a0", "\0", "\1"],
    ["\ud800", "\U0001f600", "x" * 5000],
    ["(", ")", "-LRB-", '"', "...", "?!"],
    ["Příliš", "žluťoučký", "kůň", "úpěl", "ďábelské", "ódy", "."],
    list("他今天没有去学校"),
    ["وقال", "المتحدث", "إن", "الأمر", "مهم"],
]
tokens = st.text(max_size=12) | st.sampled_from(SENTENCE)
sentences = st.lists(st.lists(tokens, max_size=20), max_size=5)


def parse(*sentences: list[str]) -> list[Node]:
    return list(EmbeddedParser().parse(sentences))


def labels(tree: Node) -> Iterator[str]:
    yield tree.label
    for child in tree.children:
        yield from labels(child)


# --- trees -------------------------------------------------------------------------------------


def test_it_finds_the_phrases_of_a_plain_sentence() -> None:
    (tree,) = parse(SENTENCE)
    segments = [" ".join(SENTENCE[i] for i in segment) for segment in extract_segments(tree, 3, 6)]
    assert segments == ["The old dog of my neighbour", "that it sees in the garden"]
    assert {"S", "NP", "VP", "PP", "SBAR", "DT", "NN", "VBZ", "IN"} <= set(labels(tree))


def test_it_has_a_version_and_a_description() -> None:
    parser = choose_parser("embedded", language="en-GB")
    assert (parser.name, parser.version) == ("embedded", description()["version"])


def test_it_refuses_another_language() -> None:
    with pytest.raises(InputError, match=r"^The parser embedded knows English and not 'cs': "):
        choose_parser("embedded", language="cs")


@given(sentences)
@settings(max_examples=15)
def test_its_leaves_are_the_tokens(sentences: list[list[str]]) -> None:
    trees = parse(*sentences)
    assert [leaves(tree) for tree in trees] == [tuple(range(len(each))) for each in sentences]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_odd_tokens_have_a_tree(odd: list[str]) -> None:
    (tree,) = parse(odd)
    assert leaves(tree) == tuple(range(len(odd)))


def test_an_empty_sentence_has_the_empty_tree() -> None:
    assert parse([], ["Hello"], []) == [EMPTY, parse(["Hello"])[0], EMPTY]
    assert parse() == []


def test_a_tree_can_be_written_and_read_again() -> None:
    (tree,) = parse(SENTENCE * 12)
    again, words = from_bracketed(to_bracketed(tree, SENTENCE * 12))
    assert words == SENTENCE * 12
    assert leaves(again) == leaves(tree)


# --- many sentences ----------------------------------------------------------------------------


def test_a_sentence_has_the_same_tree_alone_and_among_others() -> None:
    texts = [SENTENCE[i:j] for i in range(4) for j in (9, 13, 17)]
    together = parse(*texts)
    assert together == [tree for text in texts for tree in parse(text)]
    assert together == parse(*reversed(texts))[::-1]


def test_it_reads_no_further_ahead_than_it_must() -> None:
    read = 0

    def source() -> Iterator[list[str]]:
        nonlocal read
        for _ in range(10_000):
            read += 1
            yield ["Hello", "world"]

    trees = EmbeddedParser().parse(source())
    next(trees)
    assert read <= 500


def test_threads_may_share_it() -> None:
    parser = EmbeddedParser()
    expected = list(parser.parse([SENTENCE] * 5))
    found: list[list[Node]] = []
    threads = [
        Thread(target=lambda: found.append(list(parser.parse([SENTENCE] * 5)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


# --- long sentences ----------------------------------------------------------------------------


def test_a_very_long_sentence_is_parsed_in_parts() -> None:
    text = SENTENCE * 100
    (tree,) = parse(text)
    assert leaves(tree) == tuple(range(len(text)))


def test_parts_end_at_a_stop_or_else_at_a_comma_or_else_anywhere() -> None:
    half, long = LONGEST_SENTENCE // 2, LONGEST_SENTENCE
    words = ["word"] * 2 * long

    def lengths(marks: dict[int, str]) -> list[int]:
        text = [marks.get(i, word) for i, word in enumerate(words)]
        parts = list(parts_of(text))
        assert [token for part in parts for token in part] == text
        return [len(part) for part in parts]

    assert lengths({}) == [long, long]
    assert lengths({half + 5: ".", half + 20: ","})[0] == half + 6
    assert lengths({half - 5: ".", half + 20: ","})[0] == half + 21


# --- words -------------------------------------------------------------------------------------


def test_words_are_split_greedily() -> None:
    pieces = Pieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##able", "##ab", "-", "ne"])
    assert pieces("Unable") == (4, 5)
    assert pieces("un-né") == (4, 7, 8)
    assert pieces("unx") == (1,)
    assert pieces("") == (1,)
    assert len(pieces("un-" * 30)) == MOST_PIECES


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("dog", Shape.LOWER), ("Dog", Shape.TITLE), ("I", Shape.LETTER), ("WMT", Shape.UPPER),
        ("McDonald", Shape.MIXED), ("1,000", Shape.NUMBER), ("A320", Shape.CODE),
        ("--", Shape.MARK), ("", Shape.MARK), ("狗", Shape.LOWER),
    ],
)  # fmt: skip
def test_shapes_are_the_casing_of_words(word: str, expected: Shape) -> None:
    assert shape(word) == expected


# --- charts ------------------------------------------------------------------------------------


def worth(size: int, **spans: float) -> np.ndarray:
    """Worths [1, n + 1, n + 1] that are negative but for some spans, named as in s1_4."""
    found = np.full((1, size + 1, size + 1), -1, dtype=np.float32)
    for name, value in spans.items():
        start, end = map(int, name[1:].split("_"))
        found[0, start, end] = value
    return found


def spans(phrase: np.ndarray, segment: np.ndarray) -> list[tuple[int, int]]:
    rows = best_spans(phrase, segment, np.array([phrase.shape[1] - 1]))
    return [(start, end) for _, start, end in rows.tolist()]


def test_the_better_of_crossing_spans_is_chosen() -> None:
    phrase = worth(4, s0_2=0.3, s1_3=0.5, s2_4=0.3)
    assert spans(phrase, np.zeros_like(phrase)) == [(0, 4), (0, 2), (2, 4)]
    phrase = worth(4, s0_2=0.3, s1_3=0.7, s2_4=0.3)
    assert spans(phrase, np.zeros_like(phrase)) == [(0, 4), (1, 3)]


def test_a_segment_has_more_value_outside_of_short_phrases() -> None:
    phrase = worth(8, s0_5=0.1, s0_3=0.1)
    segment = np.zeros_like(phrase)
    assert spans(phrase, segment) == [(0, 8), (0, 5), (0, 3)]
    segment[0, 0, 5], segment[0, 0, 3] = -0.4, 0.4
    assert spans(phrase, segment) == [(0, 8), (0, 3)]


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_spans_form_trees_and_sentences_are_independent(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    phrase, segment = random.normal(size=(2, 3, 13, 13)).astype(np.float32)
    lengths = np.array([size, 12, random.integers(1, 13)])
    rows = best_spans(phrase, segment, lengths)
    for number, length in enumerate(lengths):
        one = slice(number, number + 1)
        cut = slice(0, length + 1)
        alone = best_spans(phrase[one, cut, cut], segment[one, cut, cut], lengths[one])
        own = rows[rows[:, 0] == number, 1:].tolist()
        assert own == alone[:, 1:].tolist()
        assert not any(a < c < b < d for a, b in own for c, d in own)
        assert (length == 1) or own[0] == [0, length]


# --- what it weighs and what it is worth -------------------------------------------------------


def test_its_weights_are_small_and_documented() -> None:
    assert WEIGHTS.stat().st_size <= 8_000_000
    about = description()
    assert {"version", "command", "seed", "sources", "scores", "made"} <= set(about)


def test_it_needs_neither_torch_nor_much_memory() -> None:
    program = """
import resource, sys
from annotation.preparation.embedded.parser import EmbeddedParser
import annotation.preparation.embedded.network
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
text = "The old dog of my neighbour barks at every cat that it sees in the garden .".split()
list(EmbeddedParser().parse([text * (1 + i % 5) for i in range(100)]))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
print(sorted({"torch", "django", "nltk", "stanza"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    megabytes, imported = done.stdout.splitlines()
    assert int(megabytes) < 150
    assert imported == "[]"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("read", "sentences", "least"),
    [
        (development, 150, 0.70),
        (thesis, 150, 0.70),
        pytest.param(development, None, 0.78, marks=pytest.mark.slow),
        pytest.param(thesis, None, 0.70, marks=pytest.mark.slow),
    ],
)
def test_its_segments_agree(read, sentences: int | None, least: float, shared: Path) -> None:
    measured: Measured = read(shared / "data")
    found, _ = measure(EmbeddedParser(), (measured[0][:sentences], measured[1][:sentences]))
    assert found.f1 >= least

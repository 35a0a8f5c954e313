from collections import Counter
from functools import reduce
from operator import add, or_

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.ngrams import (
    count_in_corpus,
    match_ngrams,
    number_characters,
    number_words,
    totals,
)
from evaluation.metrics.references import References

LINE = st.text("abc", max_size=8)
# An output, and its references.
SENTENCE = st.tuples(LINE, st.lists(st.text("abc", min_size=1, max_size=8), min_size=1, max_size=4))
LINES = st.lists(LINE, max_size=4)
ORDERS = 3


def ngrams(line, order):
    return Counter(line[i : i + order] for i in range(len(line) - order + 1))


@given(st.lists(SENTENCE, min_size=1, max_size=3))
def test_matches_are_those_of_counters(sentences):
    outputs = [output for output, _references in sentences]
    references = References.by_sentence(lines for _output, lines in sentences)

    matches = match_ngrams(number_characters([*outputs, *references.lines]), references, ORDERS)

    by_reference = np.split(matches.by_reference, references.starts[1:])
    for sentence, (output, lines) in enumerate(sentences):
        for n in range(ORDERS):
            ours = ngrams(output, n + 1)
            theirs = [ngrams(line, n + 1) for line in lines]
            assert matches.clipped[sentence, n] == (ours & reduce(or_, theirs)).total()
            assert by_reference[sentence][:, n].tolist() == [
                (ours & counter).total() for counter in theirs
            ]


@given(LINES, LINES, LINES)
def test_counts_in_a_corpus_are_those_of_a_counter(lines, first, second):
    counts, size = count_in_corpus(lines, [first, second], ORDERS)

    assert size == len("".join(first + second))
    for n in range(ORDERS):
        counter = reduce(add, (ngrams(line, n + 1) for line in first + second), Counter[str]())
        assert counts[n].tolist() == [
            counter[line[i : i + n + 1]] if i + n < len(line) else 0
            for line in lines
            for i in range(len(line))
        ]


def test_words_with_equal_letters_are_the_same_unit():
    units = number_words([("a", "b"), (), ("b",), ("a",)])

    assert units.numbers.tolist() == [1, 2, 2, 1]
    assert units.lengths.tolist() == [2, 0, 1, 1]


def test_lone_surrogates_are_characters():
    assert number_characters(["a\ud800a", "\ud800"]).numbers.tolist() == [1, 2, 1, 2]


def test_matches_are_weighted():
    units = number_characters(["aab", "ab"])

    matches = match_ngrams(units, References.of_texts([["ab"]]), 1, np.array([[5.0, 5, 7]]))

    assert matches.weighted.tolist() == [[12]]


def test_totals_are_never_negative():
    assert totals(np.array([[0, 1, 3]]), 2).tolist() == [[[0, 0], [1, 0], [3, 2]]]

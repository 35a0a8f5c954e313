import numpy as np
import pytest

from evaluation.metrics.nist import Nist
from evaluation.metrics.references import References
from evaluation.metrics.tokens import Tokenizer
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND

METRIC = Nist("nist", Tokenizer("none"))


def test_rare_ngrams_count_more():
    # In "a b a c": a is half of the words, 1 bit; b and c 2 bits; "a b" and "a c" half of what
    # follows a, 1 bit; "b a" 0 bits; each longer n-gram 0 bits.
    statistics = METRIC.statistics(["a b a c"], References.of_texts([["a b a c"]]))

    assert statistics[0].tolist() == [6, 2, 0, 0, 0, 4, 3, 2, 1, 0, 4, 4]
    assert METRIC.score(statistics.sum(axis=0)) == pytest.approx(6 / 4 + 2 / 3)


def test_an_output_of_two_thirds_of_the_length_loses_half():
    assert METRIC.score(
        METRIC.statistics(["b c"], References.of_texts([["b c d"]]))[0]
    ) == pytest.approx(0.5 * (2 * np.log2(3) / 2))


def test_the_length_is_the_mean_of_the_references():
    statistics = METRIC.statistics(
        ["a b", "a"], References.of_texts([["a b", "a"], ["a b c d", " "]])
    )

    assert statistics[:, -1].tolist() == [3, 1]


def test_an_empty_output_scores_zero():
    statistics = METRIC.statistics(OUTPUTS, References.of_texts([REFERENCES, SECOND]))

    assert METRIC.sentence_scores(statistics)[3] == 0
    assert np.isfinite(METRIC.score(statistics)).all()
    assert (
        METRIC.score(METRIC.statistics(["", ""], References.of_texts([["a", "b"]])).sum(axis=0))
        == 0
    )

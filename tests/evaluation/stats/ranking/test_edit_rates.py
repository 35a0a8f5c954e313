import numpy as np
import pytest

from evaluation.stats.ranking.edit_rates import NOT_CORRECTED, EditCounts, measure_edit_rates
from evaluation.stats.resampling import ALL_EQUAL
from tests.evaluation.tables import judged

RIGHT, EDITED, UNABLE = 1, 2, 3
NONE = np.nan


def counts(edits, words):
    return EditCounts(
        np.arange(len(edits)), np.array(edits, float), np.array(words, float), "TER|tok:none"
    )


def test_edits_are_summed_before_they_are_divided():
    # A and B share the first candidate of s; C could not be corrected; D has none.
    rows = [
        ("s", "jana", [RIGHT, UNABLE]),
        ("s", "petr", [EDITED, UNABLE]),
        ("t", "jana", [EDITED, EDITED]),
    ]
    made = {"s": [0, 0, 1, None], "t": [0, 1, None, None]}
    found = measure_edit_rates(
        judged(rows, systems="ABCD", made=made),
        counts([[0, NONE], [2, NONE], [4, 3]], [[10, NONE], [5, NONE], [5, 10]]),
        resamples=100,
    )

    assert [row.system for row in found.systems] == ["B", "A", "C", "D"]
    assert [row.rate.value for row in found.systems] == [5 / 25, 6 / 20, None, None]
    assert [row.rate.undefined for row in found.systems][2:] == [NOT_CORRECTED] * 2
    assert [(row.outputs, row.sentences) for row in found.systems] == [
        (3, 2),
        (3, 2),
        (0, 0),
        (0, 0),
    ]
    first, second = found.by_sentence
    assert first == pytest.approx((2 / 15, 2 / 15, None, None))
    assert second == pytest.approx((0.3, 0.8, None, None))
    assert found.sentence_numbers == (1, 2)
    assert found.only_sentences
    assert "TER|tok:none" in found.signature


def test_a_selection_of_judgements_has_the_edits_of_its_rows():
    judgements = judged([("s", "jana", [EDITED]), ("s", "petr", [EDITED])], systems="A")
    of_petr = judgements.select(np.array([False, True]))
    (row,) = measure_edit_rates(of_petr, counts([[1], [3]], [[10], [10]]), resamples=0).systems
    assert row.rate.value == 0.3


def test_rates_have_both_intervals():
    people, sentences = ("jana", "petr", "zuzana"), 30
    rows = [(f"{s:02d}", who, [EDITED, RIGHT]) for s in range(sentences) for who in people]
    # In ten words 1, 2 or 3 edits by sentence, and one more by the last of the people.
    edits = [[1 + s % 3 + (who == people[-1]), 0] for s in range(sentences) for who in people]
    found = measure_edit_rates(
        judged(rows, systems="AB"), counts(edits, [[10, 10]] * len(rows)), resamples=300, seed=1
    )

    b, a = found.systems
    assert a.rate.low
    assert a.rate.high
    assert found.only_sentences == ""
    assert a.rate.value == pytest.approx(0.2 + 0.1 / 3)
    error = np.sqrt(0.02 / 3 / sentences)
    assert a.rate.low == pytest.approx(a.rate.value - 2 * error, abs=0.01)
    assert a.rate.high == pytest.approx(a.rate.value + 2 * error, abs=0.01)
    assert 0 <= (a.rate.wide_low or 0) < a.rate.low < a.rate.high < (a.rate.wide_high or 0)
    assert (b.rate.value, b.rate.low, b.rate.no_interval) == (0, None, ALL_EQUAL)

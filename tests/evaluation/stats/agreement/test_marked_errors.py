"""Agreement on marked errors, against values computed by hand."""

import numpy as np
import pytest

from evaluation.stats.agreement.marked_errors import (
    NOTHING_MARKED,
    common_characters,
    measure_marks,
)
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.error_spans import Mark


def judged(items: list[int], annotators: list[int]) -> ItemJudgements:
    codes = np.array(items, dtype=np.int32)
    return ItemJudgements(codes, np.array(annotators, dtype=np.int32), codes)


def test_common_characters_with_any_and_with_the_same_severity() -> None:
    one = [(0, 5, "minor"), (8, 10, "major")]
    other = [(3, 9, "minor")]
    assert common_characters(one, other) == (3, 2)
    assert common_characters(other, one) == (3, 2)


def test_f1_sums_over_pairs() -> None:
    """Item 0: 10 and 5 characters, 5 in common, 0 of the same severity; item 1: 4 and 5, 4 and 4.

    F1 is (2 * 5 + 2 * 4) / (15 + 9) and (2 * 4) / 24.
    """
    marks: list[list[Mark]] = [
        [(0, 10, "minor")],
        [(5, 10, "major")],
        [(2, 6, "minor")],
        [(2, 7, "minor")],
    ]
    found = measure_marks(judged([0, 0, 1, 1], [0, 1, 0, 1]), marks, [True, True, True, False])
    assert found.inter.pairs == found.inter.items == 2
    assert found.inter.f1.value == pytest.approx(18 / 24)
    assert found.inter.severity_f1.value == pytest.approx(8 / 24)
    assert found.inter.omissions == (1, 1, 0)
    assert (found.intra.pairs, found.intra.omissions) == (0, (0, 0, 0))
    assert found.intra.f1.undefined


def test_pairs_without_marks_are_undefined() -> None:
    found = measure_marks(judged([0, 0], [0, 0]), [[], []], [False, False])
    assert found.intra.f1.undefined == found.intra.severity_f1.undefined == NOTHING_MARKED
    assert found.intra.omissions == (0, 0, 1)


def test_intervals_are_around_the_figure() -> None:
    """Two annotators mark all of 40 items alike; one marks half of every second item."""
    random = np.random.default_rng(1)
    marks: list[list[Mark]] = []
    for item in range(40):
        start = int(random.integers(0, 20))
        marks += [
            [(start, start + 10, "minor")],
            [(start + 5 * (item % 2), start + 10, "minor")],
            [(start, start + 10, "minor")],
        ]
    inter = measure_marks(
        judged([item for item in range(40) for _ in range(3)], [0, 1, 2] * 40),
        marks,
        [False] * 120,
        resamples=200,
    ).inter
    # All are of one severity, so that it makes no difference.
    assert inter.severity_f1 == inter.f1
    found = inter.f1
    assert found.value == pytest.approx((20 * 60 + 20 * 40) / (20 * 60 + 20 * 50))
    assert (found.low or 0) < 10 / 11 < (found.high or 0)
    assert (found.wide_low or 0) < 10 / 11

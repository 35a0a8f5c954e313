"""Means of scores with intervals, and what annotators move in them."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.stats.resampling import ALL_EQUAL
from evaluation.stats.score_means import SystemScores, estimate_means
from evaluation.stats.two_way import TOO_FEW_ANNOTATORS
from evaluation.stats.units import Unit

PAIRS = Unit("block", 2)


def scores(values: np.ndarray, *, people: int = 3, copies: int = 1) -> SystemScores:
    """Return scores (segments × systems), each segment `copies` times; annotators take turns."""
    segments, systems = values.shape
    count = segments * copies
    lines = np.repeat(np.arange(count, dtype=np.int32), systems)
    return SystemScores(
        np.repeat(values, copies, axis=0).ravel().astype(float),
        systems=np.tile(np.arange(systems, dtype=np.int32), count),
        segments=lines,
        annotators=(lines // copies % people).astype(np.int32),
        units=lines,
        names=systems,
    )


def made_up(segments: int) -> np.ndarray:
    return np.random.default_rng(1).normal([0, 5], 10, (segments, 2))


def test_a_segment_counts_once_however_often_it_was_scored() -> None:
    twice = np.array([0, 0, 1], dtype=np.int32)
    found = SystemScores(
        np.array([10.0, 20, 45]), np.zeros(3, np.int32), twice, twice, twice, names=2
    )

    assert found.total[0] == 30
    assert np.isnan(found.total[1])
    assert [one.value for one in estimate_means(found, resamples=10)] == [30, None]


def test_units_are_sampled_whole() -> None:
    doubled = scores(made_up(20), copies=2)
    by_pair = replace(doubled, units=doubled.segments // 2, unit=PAIRS)

    # Each pair has a segment twice, so that 20 pairs say as much as 20 segments.
    assert estimate_means(by_pair) == estimate_means(scores(made_up(20)))
    narrow, wide = (estimate_means(each)[0] for each in (doubled, by_pair))
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low


def test_few_units_and_few_annotators_are_the_reasons_for_no_interval() -> None:
    doubled = scores(made_up(5), copies=2)
    (few, _) = estimate_means(replace(doubled, units=doubled.segments // 2, unit=PAIRS))
    (two, _) = estimate_means(scores(made_up(20), people=2))
    (alike, _) = estimate_means(replace(scores(np.full((20, 2), 50)), bounds=(0.0, 100.0)))

    assert few.no_interval == "the figure comes from fewer than 10 blocks"
    assert (two.wide_low, two.no_wide_interval) == (None, TOO_FEW_ANNOTATORS)
    assert (alike.wide_low, alike.no_wide_interval) == (None, ALL_EQUAL)


def test_annotators_who_differ_make_the_second_interval_wider() -> None:
    values = made_up(30)
    values += 20.0 * (np.arange(30) % 3)[:, None]

    (first, _) = estimate_means(scores(values))

    assert first.low is not None
    assert first.wide_low is not None
    assert first.wide_low < first.low


def test_influences_are_derivatives_of_the_means() -> None:
    found = scores(made_up(12), copies=2)
    influence, _units, annotators, weights = found.influence

    assert influence.sum(axis=0) == pytest.approx(0, abs=1e-12)
    assert weights.sum() == len(found)
    # Scores of one annotator that count a little more move the mean by that much of the influence.
    tenth = 1e-6
    of_first = found.values[(found.annotators == 0) & (found.systems == 0)]
    all_of_system = found.values[found.systems == 0]
    weighed = (all_of_system.sum() + tenth * of_first.sum()) / (
        len(all_of_system) + tenth * len(of_first)
    )
    moved = (weighed - all_of_system.mean()) / tenth
    assert influence[annotators == 0, 0].sum() == pytest.approx(moved, rel=1e-4)

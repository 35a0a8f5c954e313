"""Values of small tables: tests of google-research/mt-metrics-eval (stats, tau_optimization)."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.meta import segment_ties
from evaluation.meta.segment_ties import (
    NO_INTERVAL,
    NoAgreement,
    acc_eq,
    best_epsilon,
    calibrate,
    count_pairs,
    grouped,
    tau_b,
)
from tests.evaluation.meta.estimates import bounds, value_of

NONE = np.nan
TWO_SYSTEMS = ([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]])
ONE_SYSTEM = ([[1, 2, 2, 3, 4]], [[2, 1, 1.5, 5, 3]])


@pytest.mark.parametrize(("grouping", "value"), [("none", 0.552), ("sys", 0.575), ("item", 1.0)])
def test_tau_b_of_groups(grouping, value):
    assert tau_b(*TWO_SYSTEMS, grouping).estimate.value == pytest.approx(value, abs=5e-4)


def test_figures_of_one_system():
    counted = count_pairs(*ONE_SYSTEM, "sys")

    assert counted.tau_b == pytest.approx([0.316227766])
    assert counted.acc_23 == pytest.approx([0.6])
    assert count_pairs(*ONE_SYSTEM, "sys", epsilon=2).acc_23 == pytest.approx([0.4])
    assert calibrate(*ONE_SYSTEM, "sys").calibrated.estimate.value == pytest.approx(0.7)


def test_every_kind_of_pair_is_counted():
    counted = count_pairs([[1, 1, 1, 2, 2, 3, 4]], [[1, 1, 2, 2, 4, 3, 3]], "none")

    assert np.concatenate([counted.concordant, counted.discordant]).tolist() == [13, 2]
    assert [*counted.human_ties, *counted.metric_ties, *counted.both_tied] == [3, 2, 1]
    assert counted.pairs.tolist() == [21]
    assert counted.acc_23 == pytest.approx([14 / 21])
    assert count_pairs([[7, 1, 2, 7, 4, 3, 2]], [[4, 1, 3, 6, 1, 5, 6]], "none").tau_b == (
        pytest.approx([0.263157895])
    )


REGRESSION_METRIC: list[list[float]] = [
    [0, 5, 2, 3, 2],
    [NONE, 2, 1, 5, 3],
    [9, 1, 5, 3, 8],
    [9, 3, 4, 4, 1],
    [NONE, NONE, NONE, NONE, NONE],
]
REGRESSION_HUMAN: list[list[float]] = [
    [1, 5, 2, 1, 1],
    [4, 2, 2, 1, 4],
    [5, 9, 2, 8, 7],
    [7, 6, NONE, 3, 2],
    [NONE, NONE, NONE, NONE, NONE],
]


def test_calibration_of_rows_with_gaps():
    found = calibrate(REGRESSION_HUMAN, REGRESSION_METRIC, "sys")

    assert found.epsilon == 1
    assert found.calibrated.estimate.value == pytest.approx(0.4916666666666668, abs=1e-15)
    assert found.uncalibrated.estimate.value == pytest.approx(0.4666666666666667, abs=1e-15)
    assert (found.calibrated.groups, found.calibrated.left_out, found.calibrated.missing) == (
        4,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("human", "epsilon"),
    [
        # With ε = 0, 2, 4, 6, 8, accuracies are 6/6, 4/6, 3/6, 1/6, 0.
        ([1, 2, 3, 4], 0),
        # 3/6, 3/6, 4/6, 4/6, 3/6.
        ([1, 1, 1, 4], 4),
    ],
)
def test_the_best_epsilon_of_one_row(human, epsilon):
    assert best_epsilon([human], [[0, 2, 6, 8]], "none") == epsilon


def test_segments_are_resampled_if_they_are_the_groups():
    random = np.random.default_rng(0)
    human = random.integers(0, 3, (4, 200))
    metric = human + random.normal(0, 1, human.shape)

    by_segment = acc_eq(human, metric)
    spread = count_pairs(human, metric).acc_23.std()

    low, high = bounds(by_segment.estimate)
    assert (high - low) / 2 == pytest.approx(1.96 * spread / 200**0.5, rel=0.1)
    assert low < value_of(by_segment.estimate) < high
    assert acc_eq(human, metric, "sys").estimate.no_interval == NO_INTERVAL


def test_figures_without_pairs_and_without_order_have_reasons():
    no_pairs = calibrate([[1, 2]], [[1, 2]], "item")
    constant = tau_b([[1, 1], [2, 2]], [[3, 3], [3, 3]])

    assert no_pairs.epsilon is None
    assert no_pairs.calibrated.estimate.undefined == NoAgreement.NO_PAIRS.value
    assert constant.estimate.undefined == NoAgreement.CONSTANT.value
    assert constant.left_out == 2


def test_it_refuses_other_shapes_infinite_scores_and_too_many_pairs(monkeypatch):
    with pytest.raises(ValueError, match="systems × segments"):
        tau_b([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ValueError, match="finite"):
        acc_eq([[1, 2]], [[1, np.inf]])
    monkeypatch.setattr(segment_ties, "MOST_THRESHOLDS", 2)
    with pytest.raises(ValueError, match="fewer segments"):
        best_epsilon([[1, 1, 1]], [[1, 2, 4]], "none")


# Sums of tenths have rounding errors, as scores of metrics do.
numbers = st.integers(-6, 6).map(lambda number: number / 10) | st.just(NONE)
matrices = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0, 2.0, NONE])),
        arrays(np.float64, shape, elements=numbers),
    )
)
groupings = st.sampled_from(["item", "sys", "none"])


def slow_accuracy(human, metric, grouping, epsilon):
    """acc_eq by plain loops; None without pairs."""
    shares = []
    for people, scores in zip(grouped(human, grouping).T, grouped(metric, grouping).T, strict=True):
        right = [
            abs(a - b) <= epsilon if x == y else abs(a - b) > epsilon and (x > y) == (a > b)
            for (x, a), (y, b) in combinations(zip(people, scores, strict=True), 2)
            if not np.isnan([x, y, a, b]).any()
        ]
        if right:
            shares.append(sum(right) / len(right))
    return float(np.mean(shares)) if shares else None


@given(matrices, groupings)
def test_the_exact_calibration_equals_trying_every_epsilon(pair, grouping):
    human, metric = pair
    everything = metric[~np.isnan(metric)]
    tried = {
        epsilon: slow_accuracy(human, metric, grouping, epsilon)
        for epsilon in {0.0, *np.abs(everything[:, None] - everything).ravel()}
    }

    found = calibrate(human, metric, grouping, resamples=1)

    if found.epsilon is None:
        assert set(tried.values()) == {None}
        return
    best = max(tried.values())
    assert found.calibrated.estimate.value == pytest.approx(best, abs=1e-12)
    assert found.epsilon == min(e for e, value in tried.items() if value > best - 1e-12)
    assert value_of(found.calibrated.estimate) >= value_of(found.uncalibrated.estimate)
    assert found.uncalibrated.estimate.value == pytest.approx(tried[0.0])


@given(matrices, groupings)
def test_tau_b_of_sorted_scores_is_that_of_counted_pairs(pair, grouping):
    human, metric = pair
    counted = count_pairs(human, metric, grouping).tau_b
    found = tau_b(human, metric, grouping, resamples=1)

    assert found.groups == np.count_nonzero(~np.isnan(counted))
    if found.groups:
        assert found.estimate.value == pytest.approx(np.nanmean(counted), abs=1e-12)


@given(matrices)
def test_tau_b_of_a_negated_metric_is_negated(pair):
    human, metric = pair

    np.testing.assert_allclose(count_pairs(human, -metric).tau_b, -count_pairs(human, metric).tau_b)

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.meta.segment_pearson import difference_pearson, pearson
from evaluation.meta.segment_ties import NoAgreement
from tests.evaluation.meta.estimates import value_of

# A test of google-research/mt-metrics-eval.
HUMAN, METRIC = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]


@pytest.mark.parametrize(("grouping", "value"), [("none", 0.776), ("sys", 0.760), ("item", 1.0)])
def test_r_of_groups(grouping, value):
    assert pearson(HUMAN, METRIC, grouping).estimate.value == pytest.approx(value, abs=5e-4)


def test_missing_scores_are_left_out_and_counted():
    found = pearson([[1.0, 2.0, 3.0, np.nan]], [[2.0, 1.0, np.nan, 7.0]])

    assert found.estimate.value == pytest.approx(-1)
    assert found.missing == 1


def test_groups_in_which_nothing_varies_are_left_out():
    # Thirds and tenths have no exact mean.
    found = pearson([[1.0, 2.0, 3.0], [0.1, 0.1, 0.1]], [[1, 2, 3], [1, 2, 3]], "sys")

    assert found.estimate.value == pytest.approx(1)
    assert (found.groups, found.left_out) == (1, 1)
    assert pearson([[1, 1]], [[1, 2]]).estimate.undefined == NoAgreement.CONSTANT.value
    assert pearson([[1, 2]], [[1, 2]], "item").estimate.undefined == NoAgreement.NO_PAIRS.value


def test_the_interval_is_of_resampled_segments():
    random = np.random.default_rng(3)
    human = random.normal(1000, 1, (1, 400))
    metric = human + random.normal(0, 1, human.shape)

    estimate = pearson(human, metric).estimate

    # Fisher: the standard error of atanh r is 1 / √(n - 3).
    expected = np.tanh(np.arctanh(value_of(estimate)) + np.array([-1.96, 1.96]) / 397**0.5)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(expected), abs=0.015)


def test_systems_of_one_segment_are_resampled_together():
    random = np.random.default_rng(4)
    human, metric = random.normal(0, 1, (2, 1, 60))
    one, three = (
        pearson(np.repeat(human, n, axis=0), np.repeat(metric, n, axis=0)).estimate for n in (1, 3)
    )

    assert (three.low, three.high) == pytest.approx((one.low, one.high))


def test_it_refuses_other_shapes():
    with pytest.raises(ValueError, match="systems × segments"):
        pearson([1, 2], [1, 2])


@given(
    arrays(np.float64, (3, 5), elements=st.integers(-3, 3)),
    arrays(np.float64, (3, 5), elements=st.integers(-3, 3)),
)
def test_r_is_that_of_numpy_where_both_vary(human, metric):
    found = pearson(human, metric, "sys", resamples=1)
    varying = [
        (x, y) for x, y in zip(human, metric, strict=True) if np.ptp(x) > 0 and np.ptp(y) > 0
    ]

    assert found.groups == len(varying)
    if varying:
        rs = [np.corrcoef(x, y)[0, 1] for x, y in varying]
        assert found.estimate.value == pytest.approx(np.mean(rs))


SCORES = st.integers(-3, 3) | st.just(np.nan)


@given(
    arrays(np.float64, (3, 5), elements=SCORES),
    arrays(np.float64, (3, 5), elements=SCORES),
)
def test_r_of_differences_is_that_of_all_differences(human, metric):
    differences = [
        (human[one, n] - human[other, n], metric[one, n] - metric[other, n])
        for n in range(5)
        for one, other in permutations(range(3), 2)
    ]
    x, y = np.array([each for each in differences if not np.isnan(each).any()]).reshape(-1, 2).T

    found = difference_pearson(human, metric, resamples=1)

    if not len(x):
        assert found.estimate.undefined == NoAgreement.NO_PAIRS.value
    elif not x.any() or not y.any():
        assert found.estimate.undefined == NoAgreement.CONSTANT.value
    else:
        assert found.estimate.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    both = np.count_nonzero(~np.isnan(human) & ~np.isnan(metric), axis=0)
    assert (found.groups, found.left_out) == (sum(both > 1), sum(both < 2))


def test_r_of_differences_counts_each_pair_in_both_orders():
    # Differences of 3, 3, 3 by people and of 1, 2, 3 by the metric, and the same below 0.
    found = difference_pearson([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], resamples=1)

    assert found.estimate.value == pytest.approx(18 / (27 * 14) ** 0.5)


def test_r_of_differences_does_not_depend_on_how_hard_segments_are():
    random = np.random.default_rng(5)
    human = random.normal(0, 1, (4, 200))
    metric = human + random.normal(0, 1, human.shape)
    hard, long = random.normal(0, 9, (2, 1, 200))

    estimate = difference_pearson(human, metric).estimate

    assert difference_pearson(human + hard, metric + long).estimate.value == pytest.approx(
        estimate.value
    )
    # The correlation of the noisy scores is √½, and 600 deviations are independent.
    expected = np.tanh(np.arctanh(value_of(estimate)) + np.array([-1.96, 1.96]) / 597**0.5)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(expected), abs=0.015)
    assert value_of(estimate) == pytest.approx(0.5**0.5, abs=0.04)

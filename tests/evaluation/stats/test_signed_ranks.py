"""Wilcoxon's signed-rank test."""

from itertools import product
from time import process_time

import numpy as np
import pytest
from scipy.stats import rankdata, wilcoxon

from evaluation.stats.signed_ranks import LEAST_P, signed_rank_p


@pytest.mark.parametrize("seed", range(20))
def test_p_of_tied_differences_is_that_of_all_signs(seed: int) -> None:
    random = np.random.default_rng(seed)
    differences = random.integers(-4, 6, random.integers(1, 12)).astype(np.float64)
    decided = differences[differences != 0]
    ranks = rankdata(np.abs(decided))
    sums = np.array([ranks @ signs for signs in product((-1, 1), repeat=len(decided))])

    assert signed_rank_p(differences) == pytest.approx(
        np.mean(np.abs(sums) >= abs(ranks @ np.sign(decided)))
    )


@pytest.mark.parametrize("size", [1, 13, 50, 150, 400, 800])
def test_p_of_differences_without_ties_is_that_of_scipy(size: int) -> None:
    differences = np.random.default_rng(size).normal(0.1, 1, size)

    assert signed_rank_p(differences) == pytest.approx(
        wilcoxon(differences, method="exact").pvalue, rel=1e-9
    )


# Many and few different differences, also far in the tail.
@pytest.mark.parametrize("step", [30.0, 0.7])
@pytest.mark.parametrize("mean", [0.02, 0.3, 0.6])
@pytest.mark.parametrize("size", [200, 500])
def test_p_of_many_tied_differences_is_that_of_counts(size: int, mean: float, step: float) -> None:
    differences = np.round(np.random.default_rng(size).normal(mean, 1, size) * step)
    decided = differences[differences != 0]
    ranks = (2 * rankdata(np.abs(decided))).astype(int)
    positive = int(ranks[decided > 0].sum())
    shares = np.zeros(ranks.sum() + 1)
    shares[0] = 1
    for rank in ranks.tolist():
        shares[rank:] = (shares[rank:] + shares[: len(shares) - rank]) / 2
        shares[:rank] /= 2
    least = min(positive, int(ranks.sum()) - positive)

    assert signed_rank_p(differences) == pytest.approx(2 * shares[: least + 1].sum(), rel=1e-9)


def test_differences_that_differ_by_rounding_only_are_tied() -> None:
    # In binary fractions, these are not equal.
    assert 0.3 - 0.2 != 0.2 - 0.1
    differences = np.array([0.3 - 0.2, 0.2 - 0.1, -(0.1 - 0.0), 0.5])

    assert signed_rank_p(differences) == signed_rank_p(np.array([1.0, 1.0, -1.0, 2.0]))


def test_p_is_never_0_nor_above_1() -> None:
    assert signed_rank_p(np.arange(1.0, 3001)) == LEAST_P
    assert signed_rank_p(np.array([1.0, -1.0])) == 1
    assert signed_rank_p(np.zeros(3)) == 1


def test_a_pair_of_ten_thousand_segments_takes_no_time() -> None:
    differences = np.round(np.random.default_rng(0).normal(0.5, 20, 10_000))

    start = process_time()
    signed_rank_p(differences)

    # About .01 s.
    assert process_time() - start < 0.5

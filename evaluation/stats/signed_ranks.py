"""Wilcoxon's signed-rank test, exact at any size, with tied differences too.

Under the hypothesis each of the ranks is positive or negative with the probability 1/2, so that p
follows from the distribution of T, the sum of the positive ranks. Small sums are counted over all
choices of signs. For larger ones, P(T ≤ c) is the inverse of a characteristic function, after
exponential tilting: ranks r are positive with the odds exp(θ r), θ ≤ 0, where the mean of T is c.
Then the sum over T = c, c - 1, … has no cancellation, however small it is. The inverse is summed at
points that are so close that what lies outside is negligible (NEGLIGIBLE), and those points are
left out where the function itself is: with w = 4 q (1 - q), |φ(t)| ≤ exp(-D(t) / 2) for
D(t) = Σ w sin²(r t / 2), and √D changes by at most the deviation of T times the change of t.
Sources: Wilcoxon (1945), "Individual Comparisons by Ranking Methods"; tied ranks: Streitberg &
Röhmel (1986), "Exact Distributions for Permutation and Rank Tests".
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.resampling import Floats

Sizes = NDArray[np.int64]

# Differences that are equal to so many decimals are tied: subtraction leaves noise in the others.
DECIMALS: Final = 9
# Steps of counting, differences times the sum counted to, that take some milliseconds; below, the
# other way is not tried. A factor of the characteristic function takes as long as so many steps.
FEW_STEPS: Final = 2_000_000
STEPS_OF_FACTOR: Final = 10
# Of what is left out of a sum of probabilities.
NEGLIGIBLE: Final = 1e-18
# A smaller p is given as this, so that it is never 0.
LEAST_P: Final = 1e-100
# Ranks that are tried first to leave points out.
MOST_FREQUENT: Final = 16
# Factors computed at a time, so that memory is small.
MOST_FACTORS: Final = 2_000_000


def signed_rank_p(differences: Floats) -> float:
    """Return p of Wilcoxon's signed-rank test, two-sided, exact to rounding errors.

    Differences of 0 are left out; equal ones share their mean rank. It is LEAST_P where it is
    smaller, and 1 without differences.
    """
    differences = np.round(differences, DECIMALS)
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    _, codes, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    # Twice the mean ranks, which are whole numbers, and divided by what all have in common.
    ranks = 2 * np.cumsum(counts) - counts + 1
    ranks //= np.gcd.reduce(ranks)
    total = int(ranks @ counts)
    positive = int(ranks[codes[differences > 0]].sum())
    least = min(positive, total - positive)
    if 2 * least == total:
        return 1.0
    if len(differences) * least <= FEW_STEPS:
        below = _counted(ranks, counts, least)
    else:
        below = _inverted(ranks, counts, least)
    return min(1.0, max(LEAST_P, 2 * below))


def _counted(ranks: Sizes, counts: Sizes, least: int) -> float:
    """Return P(T ≤ least) by counting the choices of signs by their sum of positive ranks."""
    shares_of_sums = np.zeros(least + 1)
    shares_of_sums[0], reached = 1.0, 0
    for rank in np.repeat(ranks, counts).tolist():
        reached = min(reached + rank, least)
        shares_of_sums[rank : reached + 1] += shares_of_sums[: max(0, reached + 1 - rank)]
        shares_of_sums /= 2
    return float(shares_of_sums.sum())


def _inverted(ranks: Sizes, counts: Sizes, least: int) -> float:
    """Return P(T ≤ least), below the mean of T, by the inverse of the tilted function.

    It is counted where that is less work, and 0 if it is below LEAST_P.
    """
    theta, q = _tilt(ranks, counts, least)
    # The logarithm of Chernoff's bound of the probability.
    log_scale = float(counts @ (np.logaddexp(0, theta * ranks) - np.log(2))) - theta * least
    if log_scale < np.log(LEAST_P / 2):
        return 0.0
    # Hoeffding: T is this far from its mean with a negligible probability.
    reach = int(np.sqrt(-np.log(NEGLIGIBLE / 2) / 2 * float(counts @ (ranks * ranks)))) + 1
    terms = min(least, reach) + 1
    period = terms + 2 * reach
    k = _arcs(ranks, counts, 4 * q * (1 - q), period)
    if STEPS_OF_FACTOR * len(k) * len(ranks) > int(counts.sum()) * least:
        return _counted(ranks, counts, least)
    t = 2 * np.pi * k / period
    values = _characteristic(ranks, counts, q, k, period)
    # The sum of the terms exp(θ j) P(T = least - j).
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = theta + 1j * t
        geometric = np.where(steps == 0, terms, np.expm1(terms * steps) / np.expm1(steps))
    turned = 2 * np.pi * (k * least % period) / period
    weights = np.where((k == 0) | (2 * k == period), 1, 2)
    summed = float((weights * (values * np.exp(-1j * turned) * geometric).real).sum()) / period
    return float(np.exp(log_scale + np.log(summed))) if summed > 0 else 0.0


def _tilt(ranks: Sizes, counts: Sizes, least: int) -> tuple[float, Floats]:
    """Return θ, with which the mean of T is close to `least`, and the probabilities of the ranks.

    By Newton's method: the mean is convex below 0, so that it comes from above.
    """
    theta = 0.0
    while True:
        # 1 / (1 + exp(-θ r)), which does not overflow for θ ≤ 0.
        odds = np.exp(theta * ranks)
        q = odds / (1 + odds)
        variance = float(counts @ (ranks * ranks * q * (1 - q)))
        above = float(counts @ (ranks * q)) - least
        if above < np.sqrt(variance) / 10:
            return theta, q
        theta -= above / variance


def _arcs(ranks: Sizes, counts: Sizes, w: Floats, period: int) -> Sizes:
    """Return all k up to period / 2 where |φ(2πk / period)| may not be negligible."""
    weights = counts * w
    cells = 1 << int(8 * ranks[-1]).bit_length()
    cosines = np.fft.rfft(np.bincount(ranks, weights, minlength=cells)).real
    roots = np.sqrt(np.maximum(0, (weights.sum() - cosines) / 2))
    change = float(np.sqrt(weights @ (ranks * ranks)) / 2) * np.pi / cells
    (kept,) = np.nonzero(roots < np.sqrt(-2 * np.log(NEGLIGIBLE)) + change)
    # Cell g is from (g - 1/2) / cells to (g + 1/2) / cells of a turn.
    first = np.maximum(0, (2 * kept - 1) * period // (2 * cells))
    last = np.minimum(period // 2, (2 * kept + 1) * period // (2 * cells) + 1)
    parts = [np.arange(low, high + 1) for low, high in zip(first, last, strict=True)]
    k = np.unique(np.concatenate(parts))
    # Around the extremes of the most frequent ranks, others leave fewer.
    logs = np.zeros(len(k))
    for place in np.argsort(-weights, kind="stable")[:MOST_FREQUENT]:
        sines = np.sin(np.pi / period * (k * ranks[place] % period))
        with np.errstate(divide="ignore"):
            logs += counts[place] / 2 * np.log1p(-w[place] * sines**2)
        kept_k = logs > np.log(NEGLIGIBLE)
        k, logs = k[kept_k], logs[kept_k]
    return k


def _characteristic(ranks: Sizes, counts: Sizes, q: Floats, k: Sizes, period: int) -> Any:
    """Return φ(2πk / period), the product over ranks r of (1 - q + q exp(i r t)) ** count."""
    values = np.empty(len(k), dtype=np.complex128)
    tied = counts > 1
    at_once = max(1, MOST_FACTORS // len(ranks))
    for start in range(0, len(k), at_once):
        part = k[start : start + at_once]
        angles = 2 * np.pi / period * (part[:, None] * ranks % period)
        factors = np.empty(angles.shape, dtype=np.complex128)
        factors.real = 1 - q + q * np.cos(angles)
        factors.imag = q * np.sin(angles)
        with np.errstate(divide="ignore"):
            factors[:, tied] = np.exp(counts[tied] * np.log(factors[:, tied]))
        values[start : start + at_once] = np.multiply.reduce(factors, axis=1)
    return values

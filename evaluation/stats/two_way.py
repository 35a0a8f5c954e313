"""Variances of figures over sentences, and over sentences and annotators.

What is said of sentences here holds for any unit that `Judgements.units` numbers.

A figure is linearised: each cell, the judgements of one annotator in one sentence, has an influence
on it. With sums of influences by sentence, by annotator and by cell, the variance over both is
V(sentences) + V(annotators) - V(cells), with Student's t of the number of annotators less 1.
Source: Cameron, Gelbach & Miller (2011), "Robust Inference With Multiway Clustering", Journal of
Business & Economic Statistics 29. Pairs of annotators: Aronow, Samii & Assenova (2015),
"Cluster-Robust Variance Estimation for Dyadic Data", Political Analysis 23.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.resampling import Floats, sum_rows

FEWEST_ANNOTATORS: Final = 3
TOO_FEW_ANNOTATORS: Final = f"fewer than {FEWEST_ANNOTATORS} annotators"
UNKNOWN_ANNOTATORS: Final = "some annotators are unknown"
CONFIDENCE: Final = 0.975


@dataclass(frozen=True, eq=False)
class TwoWay:
    """Covariances (K × K) of K figures over sentences, and over sentences and annotators.

    `both` is None, and `undefined` says why, with fewer than FEWEST_ANNOTATORS annotators or with
    unidentified ones. `degrees` are the degrees of freedom of `both`.
    """

    sentences: Floats
    both: Floats | None
    degrees: int
    undefined: str = ""

    @property
    def errors(self) -> Floats | None:
        """The K standard errors over both, which are at least those over sentences."""
        if self.both is None:
            return None
        both = np.diagonal(self.both)
        return np.asarray(np.sqrt(np.maximum(both, np.diagonal(self.sentences))))

    def of_differences(self, x: NDArray[np.intp], y: NDArray[np.intp]) -> "TwoWay":
        """Return the variances of the figures at `x` less those at `y`, without covariances."""

        def variances(covariances: Floats) -> Floats:
            own = np.diagonal(covariances)
            return np.diag(own[x] + own[y] - 2 * covariances[x, y])

        both = None if self.both is None else variances(self.both)
        return replace(self, sentences=variances(self.sentences), both=both)

    def p_values(self, differences: Floats) -> Floats | None:
        """Return two-sided p of K differences from 0 over both; NaN where the error is 0."""
        from scipy.special import stdtr

        if self.errors is None:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(2 * stdtr(self.degrees, -np.abs(differences) / self.errors))

    def widen(self, estimate: Estimate, figure: int, bounds: tuple[float, float]) -> Estimate:
        """Add the interval over both to the estimate of a figure, within its bounds."""
        if self.errors is None:
            return replace(estimate, no_wide_interval=self.undefined)
        if estimate.value is None or estimate.low is estimate.high is None:
            return replace(estimate, no_wide_interval=estimate.no_interval)
        half = t_quantile(self.degrees) * float(self.errors[figure])
        low, high = max(bounds[0], estimate.value - half), min(bounds[1], estimate.value + half)
        # The interval over sentences need not be symmetric: the wide one contains it.
        return replace(
            estimate,
            wide_low=low if estimate.low is None else min(low, estimate.low),
            wide_high=high if estimate.high is None else max(high, estimate.high),
        )

    def draws(self, values: Floats, count: int, seed: int) -> Floats:
        """Return `count` draws (rows) around K values, from Student's t with the covariances.

        Over both if that is defined; a covariance matrix estimated with a negative eigenvalue is
        replaced by the nearest one without.
        """
        random = np.random.default_rng(seed)
        known = np.flatnonzero(~np.isnan(values))
        drawn = np.full((count, len(values)), np.nan)
        covariance = self.sentences if self.both is None else self.both
        eigenvalues, vectors = np.linalg.eigh(covariance[np.ix_(known, known)])
        scale = vectors * np.sqrt(np.maximum(eigenvalues, 0))
        noise = random.standard_normal((count, len(known))) @ scale.T
        spread = np.sqrt(random.chisquare(self.degrees, (count, 1)) / self.degrees)
        drawn[:, known] = values[known] + noise / spread
        return drawn


def two_way(influence: Floats, sentences: Codes, annotators: Codes, weights: ArrayLike) -> TwoWay:
    """Return the covariances of K figures from the influences (C × K) of C cells.

    `weights` (C) are the numbers of comparisons. V(annotators) is multiplied by n / (n - 1), n
    being the effective number of annotators, (Σ w)² / Σ w²: with equal shares their number, less if
    a few did most. Without it intervals are too narrow there (tests.load.uncertainty).
    """
    over_sentences, count = _sums_of_squares(influence, sentences)
    over_sentences *= count / max(1, count - 1)
    weighed = np.asarray(weights, np.float64)
    shares = np.bincount(annotators - UNIDENTIFIED, weights=weighed, minlength=1)
    people = int(np.count_nonzero(shares[1:]))
    if shares[0] or people < FEWEST_ANNOTATORS:
        reason = UNKNOWN_ANNOTATORS if shares[0] else TOO_FEW_ANNOTATORS
        return TwoWay(over_sentences, None, max(1, count - 1), reason)
    effective = shares.sum() ** 2 / (shares**2).sum()
    over_annotators, _ = _sums_of_squares(influence, annotators)
    cells = sentences * np.int64(len(shares)) + annotators
    over_cells, _ = _sums_of_squares(influence, cells)
    both = over_sentences + over_annotators * effective / (effective - 1) - over_cells
    return TwoWay(over_sentences, both, people - 1)


def two_way_of_pairs(influence: Floats, sentences: Codes, left: Codes, right: Codes) -> TwoWay:
    """Return the variance of a figure of pairs of annotators, such as κ inter.

    `influence` (E) has one element for each pair of judgements by annotators `left` and `right`,
    and for each judgement that counts by itself (`left` = `right`). Elements with a common
    annotator are dependent. V(annotators) - V(cells) is multiplied by A (A - 1) / (A - 2)², because
    a mean over the pairs of A annotators takes that much of their variance away. Degrees of
    freedom: A - 2, or fewer with few sentences. `both` is at least the variance over sentences.
    """
    over_sentences, count = _sums_of_squares(influence[:, None], sentences)
    over_sentences *= count / max(1, count - 1)
    pairs = left != right
    people = len(np.unique(np.concatenate([left[pairs], right[pairs]])))
    if people < FEWEST_ANNOTATORS:
        return TwoWay(over_sentences, None, max(1, count - 1), TOO_FEW_ANNOTATORS)
    left, right = left - UNIDENTIFIED, right - UNIDENTIFIED
    width = int(max(left.max(), right.max())) + 1
    sides = np.concatenate([left, right[pairs]])
    of_sides = np.concatenate([influence, influence[pairs]])[:, None]
    where = np.concatenate([sentences, sentences[pairs]]).astype(np.int64)
    both_sides = left[pairs].astype(np.int64) * width + right[pairs]
    of_pairs = influence[pairs, None]
    excess = (
        _sums_of_squares(of_sides, sides)[0]
        - _sums_of_squares(of_pairs, both_sides)[0]
        - _sums_of_squares(of_sides, where * width + sides)[0]
        + _sums_of_squares(of_pairs, sentences[pairs] * np.int64(width) ** 2 + both_sides)[0]
    )
    excess *= people * (people - 1) / (people - 2) ** 2
    degrees = min(people - 2, max(1, len(np.unique(sentences[pairs])) - 1))
    return TwoWay(over_sentences, over_sentences + np.maximum(excess, 0), degrees)


def t_quantile(degrees: float) -> float:
    """Return the 97.5th percentile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, CONFIDENCE))


def _sums_of_squares(influence: Floats, codes: NDArray[np.integer]) -> tuple[Floats, int]:
    """Return Σ u uᵀ (K × K) over the sums u of each code, and the number of codes."""
    known, places = np.unique(codes, return_inverse=True)
    if len(known) == len(codes):
        return influence.T @ influence, len(known)
    sums = sum_rows(places, influence, len(known))
    return sums.T @ sums, len(known)

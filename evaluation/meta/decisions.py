"""Decisions about pairs of systems: does a metric claim what people find?

For each pair of systems, people and the metric each find one system significantly better or no
significant difference. A metric errs by a claim that people do not confirm (type I: people see no
difference, or the opposite one) and by missing a difference that people see (type II).
Source: Mathur (2021), section 6.6, after Graham, Mathur & Baldwin (2014).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.resampling import Floats

Decided = NDArray[np.int8]

SIGNIFICANT: Final = 0.05


@dataclass(frozen=True)
class Decisions:
    """How many pairs of systems a metric decided rightly and wrongly.

    `right`: both find the same system better, or both find no difference. `unseen`: the metric
    finds a difference, people none (type I). `opposite`: people find the opposite one (type I).
    `missed`: people find a difference, the metric none (type II). `+` pools language pairs.
    """

    right: int
    unseen: int
    opposite: int
    missed: int

    def __add__(self, other: "Decisions") -> "Decisions":
        return Decisions(
            self.right + other.right,
            self.unseen + other.unseen,
            self.opposite + other.opposite,
            self.missed + other.missed,
        )


def decide(p: Floats, *, one_sided: bool, significant: float = SIGNIFICANT) -> Decided:
    """Return a decision for each pair x < y of N systems: 1 if x is better, -1 if y is, else 0.

    `p` N × N are one-sided p-values that the row is better than the column. `one_sided` compares
    each with `significant`, as WMT does for people; else the test is two-sided: p is compared with
    half of it. NaN decides nothing.
    """
    x, y = np.triu_indices(len(p), 1)
    limit = significant if one_sided else significant / 2
    return (p[x, y] <= limit).astype(np.int8) - (p[y, x] <= limit).astype(np.int8)


def count_decisions(people: Decided, metric: Decided) -> Decisions:
    """Return right and wrong decisions of a metric; both arrays have one decision a pair."""
    right = people == metric
    return Decisions(
        right=int(np.count_nonzero(right)),
        unseen=int(np.count_nonzero(~right & (people == 0))),
        opposite=int(np.count_nonzero(people * metric == -1)),
        missed=int(np.count_nonzero(~right & (metric == 0))),
    )


def compare_decisions(people: Floats, p_of_metrics: Mapping[str, Floats]) -> dict[str, Decisions]:
    """Return the right and wrong decisions of each metric about N systems.

    `people` N × L are scores of segments, NaN where there is none, compared by rank-sum tests;
    `p_of_metrics` N × N are one-sided p-values that the row is better, by name of the metric.
    """
    decided = decide(rank_sum_p([row[np.isfinite(row)] for row in people]), one_sided=True)
    return {
        name: count_decisions(decided, decide(p, one_sided=False))
        for name, p in p_of_metrics.items()
    }


def rank_sum_p(scores: Sequence[Floats]) -> Floats:
    """Return one-sided p-values that the row's segment scores are higher than the column's.

    Wilcoxon's rank-sum test of independent samples, one array of standardised scores a system, by
    the normal approximation with continuity correction, as WMT compares systems by people. NaN on
    the diagonal and for a system without scores.
    """
    from scipy.stats import mannwhitneyu

    p = np.full((len(scores), len(scores)), np.nan)
    for x, y in np.argwhere(~np.eye(len(scores), dtype=np.bool_)):
        if len(scores[x]) and len(scores[y]):
            test = mannwhitneyu(scores[x], scores[y], alternative="greater", method="asymptotic")
            p[x, y] = test.pvalue
    return p


def paired_t_p(scores: Floats) -> Floats:
    """Return one-sided p-values that the row's mean segment score is higher than the column's.

    `scores` N × L are those of a metric whose system score is their mean; the t-test is paired by
    segment. p is 1/2 for systems with equal scores, NaN on the diagonal, for a missing score and
    for fewer than two segments.
    """
    from scipy.special import stdtr

    systems, segments = scores.shape
    p = np.full((systems, systems), np.nan)
    if segments < 2:
        return p
    for x in range(systems):
        differences = scores[x] - scores
        mean = differences.mean(axis=1)
        error = differences.std(axis=1, ddof=1) / np.sqrt(segments)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where((differences == 0).all(axis=1), 0.0, mean / error)
        p[x] = stdtr(segments - 1, -t)
    np.fill_diagonal(p, np.nan)
    return p


def bootstrap_p(resampled: Floats) -> Floats:
    """Return the share of resamples (B × N system scores) in which the row is not better.

    For BLEU, TER and other metrics whose system score is no mean (Koehn 2004). Equal scores count
    half, so that identical outputs have p = 1/2. NaN on the diagonal and for a missing score.
    """
    better = resampled[:, :, None] > resampled[:, None, :]
    share = better.mean(axis=0)
    p = share.T + (1 - share - share.T) / 2
    p[~np.isfinite(resampled).all(axis=0)] = np.nan
    p[:, ~np.isfinite(resampled).all(axis=0)] = np.nan
    np.fill_diagonal(p, np.nan)
    return np.asarray(p)

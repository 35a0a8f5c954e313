"""Soft pairwise accuracy: are people and a metric equally sure which of two systems is better?

Each pair of systems has a one-sided p-value by people and one by the metric; the accuracy is 1
minus their mean absolute difference. Pairwise accuracy is the same with p-values 0 and 1. The
p-values are those of a paired permutation test over segments: the share of draws of random signs
for which the sum of the signed differences is at least that of the plain ones. All pairs share the
draws, which costs one matrix product for each system instead of each pair.
Source: Thompson, Mathur, Deutsch & Khayrallah (2024), "Improving Statistical Significance in Human
Evaluation of Automatic Metrics via Soft Pairwise Accuracy".
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.preparation.embedded.blas import one_thread
from evaluation.stats.resampling import Floats

# How draws count that are equal to the observed difference. "whole" is as published: identical
# outputs have p = 1 and results depend on the order of the systems. "half" is the mean over both
# orders of a pair: identical outputs have p = 1/2.
Equal = Literal["half", "whole"]

# The seed of the published program, whose draws these are.
PUBLISHED_SEED: Final = 4
DRAWS_AT_ONCE: Final = 128
# Rounding errors of a difference of sums, relative to the sum of absolute scores.
ROUNDING: Final = 1e-12


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """Scores of segments by people, N × L (NaN where not judged), and by M metrics, M × N × L.

    Of any set of the systems, the segments count that people judged for all of the set. Raises
    ValueError for other shapes.
    """

    metrics: tuple[str, ...]
    human: Floats
    scores: Floats

    def __post_init__(self) -> None:
        shape = (len(self.metrics), *self.human.shape)
        if self.human.ndim != 2 or self.scores.shape != shape:
            raise ValueError("Scores of metrics must be metrics × systems × segments.")

    def select(self, chosen: NDArray[np.bool_]) -> "SegmentScores":
        """Return the scores of the chosen systems."""
        return SegmentScores(self.metrics, self.human[chosen], self.scores[:, chosen])


@dataclass(frozen=True, eq=False)
class SoftAccuracies:
    """p-values of the P = N · (N - 1) / 2 pairs x < y of N systems, by people and by M metrics.

    `human_p` P is small where x is significantly better; `metric_p` M × P is NaN for a metric that
    lacks a score of the `segments` that all systems' human scores cover. `left_out` are those that
    people judged for some systems only.
    """

    metrics: tuple[str, ...]
    systems: int
    segments: int
    left_out: int
    human_p: Floats
    metric_p: Floats
    equal: Equal
    draws: int
    seed: int

    @property
    def values(self) -> Floats:
        """The accuracy of each metric, M; NaN if it is undefined."""
        if not len(self.human_p):
            return np.full(len(self.metrics), np.nan)
        return np.asarray(1 - np.abs(self.metric_p - self.human_p).mean(axis=1))

    def __str__(self) -> str:
        """The method in signatures."""
        return f"soft accuracy, draws {self.draws}, seed {self.seed}, equal ones {self.equal}"


def soft_pairwise_accuracy(
    segments: SegmentScores,
    *,
    draws: int = 1000,
    seed: int = PUBLISHED_SEED,
    equal: Equal = "half",
) -> SoftAccuracies:
    """Return the p-values of all pairs of systems by people and by metrics.

    Segments without a human score of each system are left out.
    """
    judged = np.isfinite(segments.human)
    complete = judged.all(axis=0)
    together = np.concatenate([segments.human[None], segments.scores])[..., complete]
    p = sign_flip_p(together, draws=draws, seed=seed, equal=equal)
    return SoftAccuracies(
        metrics=segments.metrics,
        systems=len(segments.human),
        segments=int(complete.sum()),
        left_out=int((judged.any(axis=0) & ~complete).sum()),
        human_p=p[0],
        metric_p=p[1:],
        equal=equal,
        draws=draws,
        seed=seed,
    )


def sign_flip_p(scores: Floats, *, draws: int, seed: int, equal: Equal) -> Floats:
    """Return K × P one-sided p-values that x is better than y, of scores K × N × L.

    NaN where a score is missing or there are no segments.
    """
    kinds, systems, segments = scores.shape
    x, y = np.triu_indices(systems, 1)
    if not segments:
        return np.full((kinds, len(x)), np.nan)
    # Differences of systems stay as they are, and rounding errors become small.
    centred = scores - scores.mean(axis=1, keepdims=True)
    totals = centred.sum(axis=2)
    rounding = ROUNDING * np.abs(centred).sum(axis=2).max(axis=1, initial=0.0)
    columns = np.moveaxis(centred, 2, 0).reshape(segments, kinds * systems)
    counts = np.zeros((kinds, len(x)))
    random = np.random.default_rng(seed)
    part_at_equal = 1.0 if equal == "whole" else 0.5
    for start in range(0, draws, DRAWS_AT_ONCE):
        some = min(DRAWS_AT_ONCE, draws - start)
        signs = 2.0 * random.random((some, segments), dtype=np.float32).round() - 1
        with one_thread():
            signed = (signs.astype(np.float64) @ columns).reshape(some, kinds, systems)
        for kind in range(kinds):
            over = signed[:, kind, x] - signed[:, kind, y] - (totals[kind, x] - totals[kind, y])
            greater = np.count_nonzero(over > rounding[kind], axis=0)
            reached = np.count_nonzero(over >= -rounding[kind], axis=0)
            counts[kind] += greater + part_at_equal * (reached - greater)
    counts[np.isnan(totals).any(axis=1)] = np.nan
    return counts / draws

"""Scores on the scales that a project names itself: each scale by itself, and two of them together.

Scores of different ranges are never added or averaged. How far two scales agree is Pearson's
correlation of the two scores that an annotator gave a translation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.formats.score_scales import Scale
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, NO_CANDIDATE, Judgements
from evaluation.stats.resampling import (
    CORRELATION,
    Floats,
    number_sentences,
    resampled_sums,
    sum_rows,
    with_interval,
)

EQUAL_SCORES = "all scores of a scale are equal"


@dataclass(frozen=True)
class JudgedScales:
    """The scales of a project, and the ranks on each scale after the first.

    `further` has, by the place of the scale from 0, the rank by the id of the judgement and the
    column of the candidate in `candidate_ranks`. The ranks on the first scale are those of the
    judgements.
    """

    scales: tuple[Scale, ...]
    further: Mapping[int, Mapping[tuple[int, int], int]]

    def on(self, place: int, judgements: Judgements) -> Judgements:
        """Return the judgements with the ranks on one scale, MISSING where it has no score."""
        if place == 0:
            return judgements
        ranks, of_scale = np.zeros_like(judgements.candidate_ranks), self.further[place]
        rows, columns = np.nonzero(judgements.candidate_ranks)
        keys = zip(judgements.ids[rows].tolist(), columns.tolist(), strict=True)
        ranks[rows, columns] = [of_scale.get(key, MISSING) for key in keys]
        of_systems = judgements.system_candidates
        known = (of_systems != NO_CANDIDATE) & (judgements.system_ranks != MISSING)
        taken = ranks[np.arange(len(judgements))[:, None], np.where(known, of_systems, 0)]
        return replace(
            judgements,
            candidate_ranks=ranks,
            system_ranks=np.asfortranarray(np.where(known, taken, MISSING).astype(np.int8)),
            more_ranks=np.zeros((*judgements.system_ranks.shape, 0), dtype=np.int8),
        )

    def scores(self, place: int, judgements: Judgements) -> Floats:
        """Return the scores of all candidates on one scale, in the shape of their ranks."""
        scale, ranks = self.scales[place], self.on(place, judgements).candidate_ranks
        scores = scale.most - (ranks.astype(np.float64) - 1) * scale.step
        return np.where(ranks == MISSING, np.nan, scores)


@dataclass(frozen=True)
class ScaleCorrelation:
    """Pearson's r of the scores on two scales, from `scores` translations."""

    scale: str
    other: str
    correlation: Estimate
    scores: int


def correlate_scales(
    judged: JudgedScales,
    places: tuple[int, int],
    judgements: Judgements,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> ScaleCorrelation:
    """Return r of two scales, with an interval over the sampled units; None where it is undefined.

    Each candidate of a judgement counts once.
    """
    first, second = (judged.scores(place, judgements) for place in places)
    rows, columns = np.nonzero(np.isfinite(first) & np.isfinite(second))
    # About the middles of the scales, so that sums of squares lose few digits.
    x, y = (
        scores[rows, columns] - (scale.least + scale.most) / 2
        for scores, scale in zip(
            (first, second), (judged.scales[place] for place in places), strict=True
        )
    )
    units, count = number_sentences(judgements.units[rows])
    sums = sum_rows(units, np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]), count)
    value = float(_correlations(sums.sum(axis=0, keepdims=True))[0])
    estimate = Estimate(None, undefined=EQUAL_SCORES)
    if not np.isnan(value):
        again = _correlations(resampled_sums(sums, resamples=resamples, seed=seed))
        estimate = with_interval(value, again, count, CORRELATION, judgements.unit)
    names = [judged.scales[place].name for place in places]
    return ScaleCorrelation(names[0], names[1], estimate, len(x))


def _correlations(sums: NDArray[np.float64]) -> Floats:
    """Return r from sums of 1, x, y, x², y² and xy; NaN if undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        count, x, y, xx, yy, xy = sums.T
        of_x, of_y = xx / count - (x / count) ** 2, yy / count - (y / count) ** 2
        is_known = (of_x > 1e-12) & (of_y > 1e-12)
        return np.where(is_known, (xy / count - x * y / count**2) / np.sqrt(of_x * of_y), np.nan)

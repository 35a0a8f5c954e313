"""Scores standardised by annotator: how many standard deviations above the annotator's mean.

Mean and standard deviation (n - 1) are those of all scores that the annotator gave in a language
pair, control items included, as in Graham et al. (2017) and in WMT.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.stats.assessment.items import Assessments
from evaluation.stats.resampling import Floats, sums_by


@dataclass(frozen=True)
class Scale:
    """How an annotator used the scale in a language pair; `deviation` is None for one score."""

    annotator: str
    pair: str
    assessments: int
    mean: float
    deviation: float | None

    @property
    def is_usable(self) -> bool:
        """Whether scores can be divided by the deviation."""
        return bool(self.deviation)


@dataclass(frozen=True, eq=False)
class Standardised:
    """N standardised scores, NaN for annotators whose scores do not vary, and all scales.

    The scales are in the order of language pairs and annotators.
    """

    scores: Floats
    scales: tuple[Scale, ...]

    @property
    def dropped(self) -> tuple[Scale, ...]:
        """The scales of the annotators whose scores are all equal, or only one."""
        return tuple(scale for scale in self.scales if not scale.is_usable)


def standardise(assessments: Assessments) -> Standardised:
    """Standardise the scores; those that are standardised already stay as they are."""
    people = len(assessments.annotator_names)
    keys = assessments.pairs.astype(np.int64) * people + assessments.annotators
    known, groups = np.unique(keys, return_inverse=True)
    counts = np.bincount(groups, minlength=len(known))
    # From the first score of each group: equal scores have a deviation of exactly 0.
    _, first = np.unique(groups, return_index=True)
    shift = assessments.scores[first]
    offsets = assessments.scores - shift[groups]
    means = sums_by(groups, offsets, len(known)) / counts
    squares = sums_by(groups, (offsets - means[groups]) ** 2, len(known))
    with np.errstate(divide="ignore", invalid="ignore"):
        deviations = np.sqrt(squares / (counts - 1))
        scores = (offsets - means[groups]) / np.where(deviations > 0, deviations, np.nan)[groups]
    if assessments.standardised:
        scores = assessments.scores
    scales = tuple(
        Scale(
            assessments.annotator_names[key % people],
            assessments.language_pairs[key // people],
            int(count),
            float(mean),
            None if np.isnan(deviation) else float(deviation),
        )
        for key, count, mean, deviation in zip(
            known.tolist(), counts, shift + means, deviations, strict=True
        )
    )
    return Standardised(scores, scales)

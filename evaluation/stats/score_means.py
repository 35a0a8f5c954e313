"""Systems by the mean of scores that annotators gave, each score by itself.

What is said of sentences in intervals holds for any unit that is sampled.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes, number_cells
from evaluation.stats.ratios import NO_INFLUENCE, Ratios
from evaluation.stats.resampling import (
    UNBOUNDED,
    Bounds,
    Floats,
    number_sentences,
    shares,
    sum_rows,
    sums_by,
)
from evaluation.stats.two_way import two_way
from evaluation.stats.units import SENTENCES, Unit

METHOD: Final = "mean_score"
# Of error points, which have no bound.
POINTS: Final = "mean_points"


@dataclass(frozen=True, eq=False)
class SystemScores:
    """N scores of K systems: a system has the mean over its segments of the mean of their scores.

    The codes (N) are those of each score; `segments` may number the scores themselves, so that each
    counts alike. Intervals sample `units`, which are what `unit` says and contain whole segments.
    Means are within `bounds`. `scale` is what widths of intervals are told as parts of, None for
    the difference of the bounds. `method` is a name, and `words` begin signatures.
    """

    values: Floats
    systems: Codes
    segments: Codes
    annotators: Codes
    units: Codes
    names: int
    unit: Unit = SENTENCES
    bounds: Bounds = UNBOUNDED
    scale: float | None = None
    method: str = METHOD
    words: tuple[str, ...] = ("mean score",)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def by_unit(self) -> Floats:
        """U × 2K: sums of the segments' means, and numbers of segments, by unit and system."""
        of_segments, counts, places = self._of_segments
        units, unit_count = number_sentences(self.units)
        unit_of = np.zeros(len(counts), dtype=np.int64)
        unit_of[places] = units
        sums = np.zeros((unit_count, 2 * self.names))
        of = self._owners
        np.add.at(sums, (unit_of, of), of_segments)
        np.add.at(sums, (unit_of, of + self.names), 1)
        return sums

    def means(self, sums: Floats) -> Floats:
        """Return T × K means of T × 2K sums such as those of `by_unit`; NaN without segments."""
        return shares(sums[:, : self.names], sums[:, self.names :])

    @cached_property
    def total(self) -> Floats:
        """The K means; NaN without a score."""
        return np.asarray(self.means(self.by_unit.sum(axis=0, keepdims=True))[0])

    @cached_property
    def influence(self) -> tuple[Floats, Codes, Codes, NDArray[np.intp]]:
        """C × K: how far the scores of one annotator in one unit move the means.

        Also the unit, the annotator and the number of scores of each of these C cells.
        """
        _, counts, places = self._of_segments
        segments = self.by_unit[:, self.names :].sum(axis=0)
        # A score moves its system's mean by its distance from it, divided by the numbers of the
        # system's segments and of the segment's scores.
        moved = np.zeros((len(self), self.names))
        moved[np.arange(len(self)), self.systems] = (
            (self.values - self.total[self.systems]) / segments[self.systems] / counts[places]
        )
        cells = number_cells(self.units, self.annotators)
        return (
            sum_rows(cells.codes, moved, len(cells)),
            cells.units,
            cells.annotators,
            np.bincount(cells.codes, minlength=len(cells)),
        )

    def select(self, rows: NDArray[np.bool_]) -> "SystemScores":
        """Return the scores of a mask; codes stay."""
        columns = ("values", "systems", "segments", "annotators", "units")
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})

    @cached_property
    def _of_segments(self) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        """The means and the numbers of scores of systems' segments, and where each score counts."""
        _, places, counts = np.unique(self._keys, return_inverse=True, return_counts=True)
        return sums_by(places, self.values, len(counts)) / counts, counts, places

    @property
    def _keys(self) -> NDArray[np.int64]:
        return self.segments.astype(np.int64) * self.names + self.systems

    @property
    def _owners(self) -> NDArray[np.int64]:
        """The system of each element of `_of_segments`."""
        return np.unique(self._keys) % max(1, self.names)


def estimate_means(scores: SystemScores, *, resamples: int = 1000, seed: int = 0) -> list[Estimate]:
    """Return the mean of each system with intervals for other sentences, and annotators too.

    A unit is sampled with all systems' scores in it. A system without scores has no value.
    """
    influence, units, annotators, weights = scores.influence
    both = two_way(influence, units, annotators, weights)
    unmoved = np.abs(influence).max(axis=0, initial=0.0) < NO_INFLUENCE
    ratios = Ratios(scores.total, scores.by_unit, both, unmoved)
    again = ratios.resampled(resamples=resamples, seed=seed)
    return ratios.estimates(again, [scores.bounds] * scores.names, [""] * scores.names, scores.unit)

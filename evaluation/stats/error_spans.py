"""Error points of segments and systems, from errors that raters marked in translations (MQM).

A rater's points of a segment are the sum of the weights of the errors that the rater marked, 0 if
there are none; those of the segment are the mean over its raters, those of the system the mean over
its segments. Lower is better.
Source: Freitag et al. (2021), "Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation", table 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.formats.error_points import ErrorWeights
from annotation.formats.span_notation import SEVERITIES, Span, stretches
from evaluation.stats.estimates import sign
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import Floats

# The first character of an error marked in a text, the one behind its last, and its severity.
Mark = tuple[int, int, str]


@dataclass(frozen=True, eq=False)
class MarkedErrors:
    """Errors marked in candidates, by the id of the judgement and the column of the candidate.

    `severities` are from the mildest to the worst.
    """

    spans: Mapping[tuple[int, int], Sequence[Span]]
    severities: tuple[str, ...] = SEVERITIES

    def of(self, key: tuple[int, int]) -> Sequence[Span]:
        return self.spans.get(key, ())

    def marks(self, key: tuple[int, int]) -> list[Mark]:
        """Return the marked stretches of the candidate, which do not overlap."""
        return list(stretches(self.of(key), self.severities))

    def has_omission(self, key: tuple[int, int]) -> bool:
        """Tell whether something is said to be missing."""
        return any(span.is_omission for span in self.of(key))


@dataclass(frozen=True, eq=False)
class ErrorPoints:
    """Points of S systems and I segments; lower is better.

    `segment_points` S × I is the mean over raters, NaN without ratings, and `raters` S × I their
    number. `system_points` S is the mean over the segments rated, and `segments_rated` S their
    number; each system has at least one.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    segment_points: Floats
    raters: NDArray[np.int64]
    system_points: Floats
    segments_rated: NDArray[np.int64]
    signature: str


def score_errors(
    *,
    systems: Sequence[str],
    segments: Sequence[str],
    raters: Sequence[str],
    points: Sequence[float] | Floats,
    weights: ErrorWeights,
) -> ErrorPoints:
    """Return the points of segments and systems, from N lines in any order.

    A line has the names of the system, segment and rater, and the points of one error, or 0 for
    no error. Systems and segments are in their natural order.
    """
    of_systems, system_names = _codes(systems)
    of_segments, segment_names = _codes(segments)
    of_raters, _rater_names = _codes(raters)
    # A row is all that one rater marked in a system's translation of a segment.
    sheets, owners = np.unique(
        np.stack([of_systems, of_segments, of_raters], axis=1), axis=0, return_inverse=True
    )
    sums = np.bincount(owners.ravel(), np.asarray(points, dtype=np.float64), len(sheets))
    size = len(system_names), len(segment_names)
    totals, counts = np.zeros(size), np.zeros(size, dtype=np.int64)
    np.add.at(totals, (sheets[:, 0], sheets[:, 1]), sums)
    np.add.at(counts, (sheets[:, 0], sheets[:, 1]), 1)
    segment_points = np.full(size, np.nan)
    np.divide(totals, counts, out=segment_points, where=counts > 0)
    rated = (counts > 0).sum(axis=1)
    return ErrorPoints(
        systems=system_names,
        segments=segment_names,
        segment_points=segment_points,
        raters=counts,
        system_points=np.nansum(segment_points, axis=1) / rated,
        segments_rated=rated,
        signature=sign(
            "error points",
            ("sum over errors, mean over raters, mean over segments", *weights.words),
            len(sheets),
            len(segment_names),
        ),
    )


def _codes(names: Sequence[str]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the code of each name, and the different names in their natural order."""
    different = tuple(sorted(dict.fromkeys(names), key=natural_key))
    codes = {name: code for code, name in enumerate(different)}
    return np.array([codes[name] for name in names], dtype=np.intp), different

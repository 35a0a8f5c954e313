"""Error points of segments and systems, from errors that raters marked in translations (MQM).

A rater's points of a segment are the sum of the weights of the errors that the rater marked, 0 if
there are none; those of the segment are the mean over its raters, those of the system the mean over
its segments. Lower is better.
Source: Freitag et al. (2021), "Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation", table 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import sign
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import Floats

# The first character of an error marked in a text, the one behind its last, and its severity.
Mark = tuple[int, int, str]

PUNCTUATION: Final = "fluency/punctuation"
# A segment that is too garbled to mark errors in it. Names of categories are compared in small
# letters and by their beginnings: WMT21 and later write "Non-translation!".
NON_TRANSLATION: Final = "non-translation"
SOURCE_ERROR: Final = ("source error", "source issue")
REINTERPRETATION: Final = "reinterpretation"


@dataclass(frozen=True)
class ErrorWeights:
    """The points of an error by its category and severity, and the name of such a choice.

    Neutral errors have no points. `source_errors` says whether errors of the source count with
    their severity, or not at all; `reinterpretations` says the same of creative reinterpretations.
    """

    name: str
    major: float = 5.0
    minor: float = 1.0
    critical: float = 5.0
    minor_punctuation: float = 0.1
    non_translation: float = 25.0
    source_errors: bool = True
    reinterpretations: bool = True

    def of(self, category: str, severity: str) -> float:
        """Return the points of an error. Raises KeyError for an unknown severity.

        The order is that of WMT24: a neutral error of any category has no points.
        """
        kind = category.lower()
        points = {
            "": 0.0,
            "neutral": 0.0,
            "minor": self.minor_punctuation if PUNCTUATION in kind else self.minor,
            "major": self.major,
            "critical": self.critical,
        }[severity.lower()]
        if not points or (REINTERPRETATION in kind and not self.reinterpretations):
            return 0.0
        if kind.startswith(NON_TRANSLATION):
            return self.non_translation
        if kind.startswith(SOURCE_ERROR) and not self.source_errors:
            return 0.0
        return points

    @property
    def words(self) -> tuple[str, ...]:
        """What a signature says of these weights."""
        numbers = (
            f"major {self.major:g}, minor {self.minor:g}, critical {self.critical:g}",
            f"minor punctuation {self.minor_punctuation:g}",
            f"non-translation {self.non_translation:g}",
        )
        counted = "counted" if self.source_errors else "not counted"
        return (f"weights {self.name}", *numbers, f"source errors {counted}")


# As in the tables of WMT20 and WMT21, and as in those of WMT24.
EXPERTS: Final = ErrorWeights("Freitag et al. 2021")
WMT24: Final = ErrorWeights("WMT24", source_errors=False, reinterpretations=False)
# By name, the default one first.
WEIGHTS: Final[Mapping[str, ErrorWeights]] = {"experts": EXPERTS, "wmt24": WMT24}


@dataclass(frozen=True, eq=False)
class MarkedErrors:
    """Errors marked in candidates, by the id of the judgement and the column of the candidate.

    `omissions` have the severity of what is missing from the candidate.
    """

    marks: Mapping[tuple[int, int], Sequence[Mark]]
    omissions: Mapping[tuple[int, int], str]


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

"""Outlier systems: those that people find much better or much worse than the others.

One bad system that every metric recognises raises Pearson's r of all metrics, so results are shown
with and without outliers. Human scores alone decide: a system that only a metric misjudges stays.
Sources: Mathur (2021), section 6.2.1; Leys et al. (2013), "Detecting Outliers"; WMT20, whose
outliers were partly chosen by hand and come as a list.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.resampling import Floats

# 1 / (the third quartile of the normal distribution): makes the MAD of normal scores their
# standard deviation.
CONSISTENCY: Final = 1.4826
CUTOFF: Final = 2.5
HALF_EQUAL: Final = (
    "at least half of the systems have the same score, so that all others are outliers"
)


@dataclass(frozen=True, eq=False)
class Outliers:
    """Which of N systems are outliers, and why; `names` are the outliers, in their order.

    `median`, `mad` (with the factor 1.4826) and `robust_z` N are those of the human scores;
    `robust_z` is NaN if the MAD is 0. `method` is "MAD", or "list" for systems that the caller
    named; `cutoff` is None for a list. `note` says why the outliers deserve a second look; it is
    empty if they do not.
    """

    systems: tuple[str, ...]
    names: tuple[str, ...]
    method: Literal["MAD", "list"]
    cutoff: float | None
    median: float
    mad: float
    robust_z: Floats
    note: str

    def __str__(self) -> str:
        """The method in signatures, such as "outliers MAD 2.5"."""
        return f"outliers {self.method}" + (f" {self.cutoff:g}" if self.cutoff is not None else "")


def mad_outliers(systems: Sequence[str], human: Floats, *, cutoff: float = CUTOFF) -> Outliers:
    """Return the systems whose human score N is more than `cutoff` MAD away from the median.

    With a MAD of 0, every system with another score than the median is an outlier.
    """
    _median, mad, distance = _spread(human)
    return _outliers(systems, human, np.abs(distance) > cutoff * mad, cutoff)


def listed_outliers(systems: Sequence[str], human: Floats, listed: Collection[str]) -> Outliers:
    """Return the listed systems as outliers. Raises ValueError if one of them does not exist."""
    unknown = sorted(set(listed) - set(systems))
    if unknown:
        raise ValueError(f"There is no system {unknown[0]!r} among those with human scores.")
    is_outlier = np.array([name in listed for name in systems], dtype=np.bool_)
    return _outliers(systems, human, is_outlier, None)


def _outliers(
    systems: Sequence[str], human: Floats, is_outlier: NDArray[np.bool_], cutoff: float | None
) -> Outliers:
    median, mad, distance = _spread(human)
    is_doubtful = cutoff is not None and mad == 0 and is_outlier.any()
    return Outliers(
        systems=tuple(systems),
        names=tuple(name for name, out in zip(systems, is_outlier, strict=True) if out),
        method="list" if cutoff is None else "MAD",
        cutoff=cutoff,
        median=median,
        mad=mad,
        robust_z=distance / (mad or np.nan),
        note=HALF_EQUAL if is_doubtful else "",
    )


def _spread(human: Floats) -> tuple[float, float, Floats]:
    """Return median, MAD and the distances from the median."""
    median = float(np.median(human)) if len(human) else np.nan
    distance = human - median
    mad = CONSISTENCY * float(np.median(np.abs(distance))) if len(human) else np.nan
    return median, mad, distance

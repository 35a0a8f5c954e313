"""What the tables of direct assessments mean, for reports of projects and of files."""

from typing import Final

from evaluation.stats.assessment.annotators import Flag
from evaluation.stats.assessment.systems import LEVEL
from evaluation.stats.units import SENTENCES, Unit

TESTED: Final = (
    "p: paired t test, one-sided, that degraded outputs have lower scores than the same outputs "
    "undamaged; p ≤ 0.05 passes. Repeats: their number, how far apart they are from the first "
    "score, and p, two-sided, that they differ. Seconds: those of the fastest batch. Run: the most "
    "equal scores in a row."
)
FLAGGED: Final = (
    "Flags are reasons to look closer, and exclude no annotator. "
    + "; ".join(f"{flag.value}: {flag.meaning}" for flag in Flag)
    + "."
)
CLUSTERED: Final = (
    "Cluster: lines are where all systems above beat all below. Published: the rule of WMT, a line "
    "after the place where a system has as many wins as there are systems below it. Wins: systems "
    f"that it is better than by a one-sided rank-sum test of segments (p < {LEVEL:g}), for other "
    "segments assessed by these annotators."
)
SCORED: Final = (
    "z: mean over N segments of the mean standardised score, raw: that of the same N.ALL scores as "
    "they were given."
)
RANK_SUM: Final = "One-sided rank-sum test of segments."


def intervals_note(unit: Unit = SENTENCES) -> str:
    """Return what the intervals of systems sample."""
    other = unit.plural
    tests = "" if unit == SENTENCES else " Tests take single sentences."
    return (
        f"95 % intervals for other {other} come from resampled {other}, those for other annotators "
        f"too (wide) from Student's t over {other} and annotators; both take the annotators' "
        f"scales as known.{tests}"
    )

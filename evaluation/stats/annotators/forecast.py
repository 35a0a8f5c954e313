"""Estimates when a project will be finished, from the pace of the last days."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

# Fewer judged sentences give no pace.
FEWEST_JUDGED: Final = 10
# Nor does a shorter time.
SHORTEST: Final = timedelta(minutes=10)
# Before a whole day has passed, the hours of judging in a day are unknown.
WHOLE_DAY: Final = timedelta(days=1)
FARTHEST: Final = timedelta(days=730)


class NoEnd(Enum):
    """Why no end can be estimated."""

    NOTHING_TO_JUDGE = "nothing to judge"
    ALL_JUDGED = "all judged"
    PAUSED = "paused"
    TOO_FEW_JUDGES = "too few judges"
    NOTHING_LATELY = "nothing lately"
    TOO_LITTLE = "too little"


@dataclass(frozen=True)
class EstimatedEnd:
    """When the last sentence will be judged, at a pace of `a_day` sentences.

    During the first day, `hours` of judging at the current pace instead of `when`. `far`: more than
    two years from now, without a date.
    """

    when: datetime | None = None
    a_day: float | None = None
    hours: float | None = None
    far: bool = False
    unknown: NoEnd | None = None


def estimate_end(*, left: int, judged: int, since: datetime | None, now: datetime) -> EstimatedEnd:
    """Return the end for `left` sentences if `judged` were judged from `since` until `now`."""
    passed = now - since if since is not None else timedelta(0)
    if since is None:
        return EstimatedEnd(unknown=NoEnd.NOTHING_LATELY)
    if judged < FEWEST_JUDGED or passed < SHORTEST:
        return EstimatedEnd(unknown=NoEnd.TOO_LITTLE)
    if passed < WHOLE_DAY:
        return EstimatedEnd(hours=left * (passed / timedelta(hours=1)) / judged)
    a_day = judged / (passed / WHOLE_DAY)
    days = left / a_day
    if days > FARTHEST / WHOLE_DAY:
        return EstimatedEnd(a_day=a_day, far=True)
    return EstimatedEnd(when=now + timedelta(days=days), a_day=a_day)

"""When a project will be judged, by the pace of the last days; or why nobody can tell."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

# Of fewer sentences there is no pace.
FEWEST: Final = 10
# Nor of less time than this.
SHORTEST: Final = timedelta(minutes=10)
# Nights are in it: before that, nobody knows on how many hours of a day there is judging.
WHOLE_DAY: Final = timedelta(days=1)
FARTHEST: Final = timedelta(days=730)


class NoEnd(Enum):
    """Why no end can be told."""

    NOTHING_TO_JUDGE = "nothing to judge"
    ALL_JUDGED = "all judged"
    PAUSED = "paused"
    TOO_FEW_JUDGES = "too few judges"
    NOTHING_LATELY = "nothing lately"
    TOO_LITTLE = "too little"


@dataclass(frozen=True)
class EstimatedEnd:
    """When the last sentence will be judged, `a_day` of them.

    Before there is a day to go by, no `when` but `hours` of judging as it went so far. `far`:
    more than two years from now, so that no date means anything.
    """

    when: datetime | None = None
    a_day: float | None = None
    hours: float | None = None
    far: bool = False
    unknown: NoEnd | None = None


def estimate_end(*, left: int, judged: int, since: datetime | None, now: datetime) -> EstimatedEnd:
    """Go on from now as from `since` until now, when so many of those to judge were `judged`."""
    passed = now - since if since is not None else timedelta(0)
    if since is None:
        return EstimatedEnd(unknown=NoEnd.NOTHING_LATELY)
    if judged < FEWEST or passed < SHORTEST:
        return EstimatedEnd(unknown=NoEnd.TOO_LITTLE)
    if passed < WHOLE_DAY:
        return EstimatedEnd(hours=left * (passed / timedelta(hours=1)) / judged)
    a_day = judged / (passed / WHOLE_DAY)
    days = left / a_day
    if days > FARTHEST / WHOLE_DAY:
        return EstimatedEnd(a_day=a_day, far=True)
    return EstimatedEnd(when=now + timedelta(days=days), a_day=a_day)

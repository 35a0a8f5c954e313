"""Whether the clock was set: what was lent for a time is not over because somebody set it ahead."""

import threading
import time
from datetime import timedelta

from django.utils import timezone

# By less it is corrected all the time, and nobody's work depends on it.
NOTICED = timedelta(minutes=1)
# Nobody sets it; it goes on while the machine sleeps, where the system has one that does.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Watch:
    """Compares the clock with one that nobody sets, whenever it is asked.

    It knows of what happened since this process began: another may know of more.
    """

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._jumps: list[tuple[timedelta, timedelta]] = []
        self._apart = _now() - steady()

    def set_ahead(self, within: timedelta) -> timedelta:
        """Return by how much the clock was set ahead, all in all, in the last so much time."""
        with self._asking:
            passed = steady()
            apart = _now() - passed
            if abs(apart - self._apart) > NOTICED:
                self._jumps.append((passed, apart - self._apart))
            self._apart = apart
            jumps = (by for at, by in self._jumps if passed - at < within)
            return max(sum(jumps, timedelta()), timedelta())


def steady() -> timedelta:
    return timedelta(seconds=time.clock_gettime(STEADY))


def _now() -> timedelta:
    return timedelta(seconds=timezone.now().timestamp())


watch = Watch()

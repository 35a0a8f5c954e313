"""When an answer was given, as other programs write it."""

from datetime import datetime
from typing import Final

# Longer times for a segment include a pause (method.md, "A judgement").
TOO_LONG: Final = 600.0


class Timed:
    """An answer with its time; `seconds` were spent on it until `submitted`, None if unknown."""

    __slots__ = ()
    submitted: datetime
    seconds: float | None

    @property
    def ended(self) -> float:
        """Seconds since 1970."""
        return self.submitted.timestamp()

    @property
    def started(self) -> float:
        """Seconds since 1970."""
        return self.ended - (self.seconds or 0.0)

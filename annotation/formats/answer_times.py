"""When an answer was given, as other programs write it."""

from datetime import datetime


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

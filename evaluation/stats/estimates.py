"""A figure with its interval, and the signature that says how it was computed."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval from resampling sentences; `undefined` says why not.

    `value` is None where the figure is undefined, and `low` and `high` are where nothing could be
    resampled. `undefined` is an English clause ("no two judgements of …"), translated where it is
    shown, and "" for a figure that is defined; `no_interval` is such a clause for a figure without
    an interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: str = ""
    no_interval: str = ""


# A test keeps it equal to `settings.VERSION`: the maths must not import Django.
VERSION: Final = "0.1.0"


@dataclass(frozen=True)
class Signature:
    """Method, options, size of the data and version; `str` joins them by "|" as sacrebleu does."""

    method: str
    options: tuple[str, ...]
    judgements: int
    sentences: int
    version: str = VERSION

    def __str__(self) -> str:
        size = (f"judgements {self.judgements}", f"sentences {self.sentences}")
        return "|".join((self.method, *self.options, *size, f"SegRanks {self.version}"))

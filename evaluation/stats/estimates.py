"""A figure with its interval, and the signature that says how it was computed."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval from resampled sentences.

    `value` is None if the figure is undefined: `undefined` says why, as an English clause ("no two
    judgements of …") that pages translate, else it is "". `low` and `high` are None if there is no
    interval; `no_interval` says why.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: str = ""
    no_interval: str = ""


# Equal to `settings.VERSION`, which this package must not import; a test compares them.
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

"""A figure with its intervals, and the signature that says how it was computed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % intervals.

    `value` is None if the figure is undefined: `undefined` says why, as an English clause ("no two
    judgements of …") that pages translate, else it is "". `low` and `high` are its interval for
    other sentences (from resampled sentences), `wide_low` and `wide_high` for other sentences and
    other annotators. An end is None if there is none; `no_interval` and `no_wide_interval` say why.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: str = ""
    no_interval: str = ""
    wide_low: float | None = None
    wide_high: float | None = None
    no_wide_interval: str = ""


# Equal to `settings.VERSION`, which this package must not import; a test compares them.
VERSION: Final = "1.0.0"


def number_of_references(counts: Iterable[int]) -> str:
    """Return how many references sentences have, as sacrebleu has it: "nrefs:2", or "nrefs:var"."""
    different = set(counts)
    return f"nrefs:{different.pop() if len(different) == 1 else 'var'}"


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


def sign(
    method: str,
    options: Iterable[str],
    judgements: int,
    sentences: int,
    provenance: Iterable[str] = (),
) -> str:
    """Return a signature as text; `provenance` says what the judgements come from."""
    return signed(Signature(method, tuple(options), judgements, sentences), provenance)


def signed(signature: object, provenance: Iterable[str]) -> str:
    """Return the signature as text, with what the judgements come from."""
    return "|".join((str(signature), *provenance))

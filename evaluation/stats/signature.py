"""The line under a figure that says how it was computed, so that anyone can compute it again."""

from dataclasses import dataclass
from typing import Final

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

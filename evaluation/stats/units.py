"""What is sampled for intervals and tests: sentences, documents, or blocks of sentences.

Sentences of one document resemble each other, so intervals from sampled sentences are too narrow
for other documents. Where documents are unknown, blocks of neighbouring sentences stand for them
(Künsch 1989, "The Jackknife and the Bootstrap for General Stationary Observations").
"""

from dataclasses import dataclass
from typing import Final, Literal

UnitName = Literal["sentence", "document", "block"]


@dataclass(frozen=True)
class Unit:
    """A sampling unit; `size` is the number of sentences of a block, 1 for other units."""

    name: UnitName = "sentence"
    size: int = 1

    @property
    def plural(self) -> str:
        """The units in reasons, such as "blocks"."""
        return f"{self.name}s"

    def __str__(self) -> str:
        """The units in signatures, such as "blocks of 10 neighbouring sentences"."""
        of = f" of {self.size} neighbouring sentences" if self.name == "block" else ""
        return f"{self.plural}{of}"


SENTENCES: Final = Unit()

"""What is written in figures; the page gives a translation."""

from dataclasses import dataclass
from typing import Final

POINT: Final = "."


@dataclass(frozen=True)
class Words:
    """Titles of axes and legends, and what stands in tooltips; `decimal` is the point or comma."""

    decimal: str = POINT
    system: str = "System"
    score: str = "Score"
    rank: str = "Rank"
    row: str = "System"
    column: str = "Compared with"
    share_of_wins: str = "Share of wins"
    p: str = "p (Holm)"
    annotator: str = "Annotator"
    other: str = "Other annotator"
    kappa: str = "κ"
    pairs: str = "Pairs compared"
    sentences: str = "Sentences judged"
    tau: str = "τ to the ranking of all"
    width: str = "Width of the interval"
    change: str = "Change of the time for a segment, per 100 sentences"
    together: str = "Together"

    @property
    def low(self) -> str:
        return f"2{self.decimal}5 %"

    @property
    def high(self) -> str:
        return f"97{self.decimal}5 %"

    def short(self, number: float) -> str:
        """Return the number with two decimals, in English without the nought before its point."""
        written = f"{number:.2f}".replace("-", "−")
        if self.decimal == POINT:
            return written.replace("0.", POINT)
        return written.replace(POINT, self.decimal)


ENGLISH = Words()

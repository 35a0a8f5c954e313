"""What is written in figures; the page gives a translation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Titles of axes and legends, and what stands in tooltips."""

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


ENGLISH = Words()

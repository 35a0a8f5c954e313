"""Figures as plain text, for terminals."""

from collections.abc import Sequence
from typing import Final

from evaluation.stats.ranking.ranking import Ranking

UNDEFINED: Final = "–"


def decimal(number: float | None, places: int = 3) -> str:
    return UNDEFINED if number is None else f"{number:.{places}f}"


def duration(seconds: float | None) -> str:
    """Return hours, minutes and seconds as 26:02:14."""
    if seconds is None:
        return UNDEFINED
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def text_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, words: Sequence[int] = (0,)
) -> str:
    """Return aligned lines: columns in `words` to the left, numbers to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    ruled = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in ruled
    )


def ranking_table(ranking: Ranking) -> str:
    """Return the systems with their counts, best first; without a ratio there is no place."""
    rows = [
        [
            str(place) if result.ratio_of_wins is not None else UNDEFINED,
            result.system,
            str(result.wins),
            str(result.losses),
            str(result.ties),
            decimal(result.ratio_of_wins, 4),
        ]
        for place, result in enumerate(ranking.systems, start=1)
    ]
    header = ["place", "system", "wins", "losses", "ties", "ratio of wins"]
    return text_table(header, rows, words=(1,))

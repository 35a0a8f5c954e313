"""How annotators change over their time: a point an annotator, and its interval as a line."""

from typing import Any, Final

from evaluation.report.figures.forest import ROW, domain, intervals, mark, points
from evaluation.report.figures.look import PAPER, Look, Specification
from evaluation.report.figures.words import ENGLISH, Words
from evaluation.report.shape import DriftPart, DriftRow

# A change per 100 sentences cannot be seen in much fewer.
FEWEST: Final = 50


def speed_changes(
    part: DriftPart, look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the relative changes of the time of a segment; None where none is known.

    Annotators of fewer than FEWEST sentences are left out: their lines would be guesses.
    """
    every = [*part["annotators"], part["together"]]
    rows = [
        _row(row, words)
        for row in every
        if row["seconds"]["value"] is not None and row["seconds"]["screens"] >= FEWEST
    ]
    if not rows:
        return None
    ends = [end for row in rows for end in (row["low"], row["high"], 0.0)]
    tooltip = [
        {"field": "name", "title": words.annotator},
        {"field": "score", "type": "quantitative", "title": words.change, "format": "+.1%"},
        {"field": "low", "type": "quantitative", "title": words.low, "format": "+.1%"},
        {"field": "high", "type": "quantitative", "title": words.high, "format": "+.1%"},
    ]
    return look.specification(
        ROW * len(rows),
        layer=[mark(0.0, look), intervals(rows, look, tooltip), points(rows, look, tooltip)],
        encoding={
            "y": {
                "field": "name",
                "type": "nominal",
                "scale": {"domain": [row["name"] for row in rows]},
                "axis": {"title": None, "domain": False, "labelColor": look.ink},
            },
            "x": {
                "type": "quantitative",
                "title": words.change,
                "axis": {"format": "+.0%", "tickCount": 6},
                "scale": {"nice": False, "domain": domain(ends)},
            },
        },
    )


def _row(row: DriftRow, words: Words) -> dict[str, Any]:
    change = row["seconds"]
    return {
        "name": row["annotator"] or words.together,
        "score": change["value"],
        "low": change["value"] if change["low"] is None else change["low"],
        "high": change["value"] if change["high"] is None else change["high"],
    }

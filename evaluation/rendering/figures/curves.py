"""The learning curve and the width of intervals as lines over the number of sentences."""

from collections.abc import Sequence
from typing import Any

from evaluation.rendering.figures.style import (
    ENGLISH,
    FEWEST_DOTS,
    PAPER,
    SHOWN,
    Look,
    Specification,
    Words,
)
from evaluation.stats.ranking.learning_curve import Point


def stability(
    points: Sequence[Point], look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return τ to the ranking by all sentences by number of sentences; None below two points."""
    rows: list[dict[str, Any]] = [
        {**point, **words.figures(point, 3, "tau", "low", "high")}
        for point in map(vars, points)
        if point["tau"] is not None
    ]
    if len(rows) < FEWEST_DOTS:
        return None
    tooltip = [
        {"field": "sentences", "type": "quantitative", "title": words.sentences, "format": ",d"},
        {"field": "tau" + SHOWN, "title": words.tau},
        {"field": "low" + SHOWN, "title": words.low},
        {"field": "high" + SHOWN, "title": words.high},
    ]
    lowest = min(row["tau"] if row["low"] is None else row["low"] for row in rows)
    scale = {"domain": [min(0.0, lowest), 1.0], "nice": False}
    return look.specification(
        230,
        data={"values": rows},
        encoding={"x": _sentence_axis(rows, words), "tooltip": tooltip},
        layer=[
            {
                "mark": {"type": "area", "color": look.accent_soft, "opacity": 0.55},
                "encoding": {
                    "y": {
                        "field": "low",
                        "type": "quantitative",
                        "title": words.tau,
                        "scale": scale,
                    },
                    "y2": {"field": "high"},
                },
            },
            *_line_layers("tau", words.tau, scale, look),
        ],
    )


def interval_widths(
    points: Sequence[Point], look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the mean width of intervals over the number of sentences; None below two points."""
    rows: list[dict[str, Any]] = [
        {**point, **words.figures(point, 4, "width")}
        for point in map(vars, points)
        if point["width"] is not None
    ]
    if len(rows) < FEWEST_DOTS:
        return None
    tooltip = [
        {"field": "sentences", "type": "quantitative", "title": words.sentences, "format": ",d"},
        {"field": "width" + SHOWN, "title": words.width},
    ]
    return look.specification(
        230,
        data={"values": rows},
        encoding={"x": _sentence_axis(rows, words), "tooltip": tooltip},
        layer=_line_layers("width", words.width, {"zero": True}, look),
    )


def _sentence_axis(rows: list[dict[str, Any]], words: Words) -> dict[str, Any]:
    return {
        "field": "sentences",
        "type": "quantitative",
        "title": words.sentences,
        "scale": {"zero": True, "domain": [0, max(row["sentences"] for row in rows)]},
        "axis": {"grid": False, "tickCount": 6, "format": ",d"},
    }


def _line_layers(field: str, title: str, scale: dict[str, Any], look: Look) -> list[dict[str, Any]]:
    y = {"field": field, "type": "quantitative", "title": title, "scale": scale}
    return [
        {
            "mark": {"type": "line", "color": look.accent, "strokeWidth": 2.5, "tooltip": None},
            "encoding": {"y": y},
        },
        {
            "mark": {
                "type": "point",
                "filled": True,
                "size": 60,
                "color": look.accent,
                "stroke": look.ground,
                "strokeWidth": 1.5,
                "opacity": 1,
            },
            "encoding": {"y": y},
        },
    ]

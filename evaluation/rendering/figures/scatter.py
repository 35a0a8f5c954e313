"""Scatter plots: the scores of systems by a metric beside those by people."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from evaluation.rendering.figures.intervals import domain
from evaluation.rendering.figures.style import FEWEST_DOTS, SHOWN, Look, Specification, Words

HEIGHT: Final = 240


class Dot(NamedTuple):
    """The scores of one system."""

    system: str
    people: float
    metric: float
    is_outlier: bool


def scatter_plot(
    dots: Sequence[Dot], metric: str, look: Look, words: Words
) -> Specification | None:
    """Return the scores of the systems by the metric (y) and by people (x).

    Outliers are crosses with their names, others are circles. None below two systems.
    """
    if len(dots) < FEWEST_DOTS:
        return None
    rows: list[dict[str, Any]] = [
        {
            "system": dot.system,
            "people": dot.people,
            "metric": dot.metric,
            "kind": words.outlier if dot.is_outlier else words.system,
        }
        for dot in dots
    ]
    rows = [{**each, **words.figures(each, 3, "people", "metric")} for each in rows]
    kinds = [words.system, words.outlier]
    return look.specification(
        HEIGHT,
        data={"values": rows},
        layer=[_points(kinds, look, words), _names(rows, look, words)],
        encoding={
            "x": _axis("people", words.people, [each["people"] for each in rows]),
            "y": _axis("metric", metric, [each["metric"] for each in rows]),
        },
    )


def _axis(field: str, title: str, values: list[float]) -> dict[str, Any]:
    scale = {"zero": False, "nice": False, "domain": domain(values)} if values else {}
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "axis": {"tickCount": 4},
        "scale": scale,
    }


def _points(kinds: list[str], look: Look, words: Words) -> dict[str, Any]:
    return {
        "mark": {"type": "point", "size": 70, "strokeWidth": 2, "opacity": 1},
        "encoding": {
            "shape": {
                "field": "kind",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": kinds, "range": ["circle", "cross"]},
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": kinds, "range": [look.accent, look.other]},
            },
            "tooltip": [
                {"field": "system", "title": words.system},
                {"field": "people" + SHOWN, "title": words.people},
                {"field": "metric" + SHOWN, "title": words.score},
                {"field": "kind", "title": words.outlier_or_not},
            ],
        },
    }


def _names(rows: list[dict[str, Any]], look: Look, words: Words) -> dict[str, Any]:
    """Return the layer of the outliers' names, turned towards the middle of the plot."""
    people = [each["people"] for each in rows]
    middle = (min(people) + max(people)) / 2 if people else 0.0
    named = [
        {**each, "left": each["people"] > middle} for each in rows if each["kind"] == words.outlier
    ]
    sides = [(False, "left", 9), (True, "right", -9)]
    return {
        "layer": [
            {
                "data": {"values": [each for each in named if each["left"] is left]},
                "mark": {
                    "type": "text",
                    "align": align,
                    "dx": shift,
                    "baseline": "middle",
                    "fontSize": 11,
                    "color": look.soft,
                    "tooltip": None,
                },
                "encoding": {"text": {"field": "system"}},
            }
            for left, align, shift in sides
        ]
    }

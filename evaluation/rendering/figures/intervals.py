"""Points with their intervals: systems by score (a forest plot), annotators by change of speed."""

from typing import Any, Final

from evaluation.rendering.figures.style import (
    ENGLISH,
    FEWEST_DOTS,
    PAPER,
    SHOWN,
    Look,
    Specification,
    Words,
)
from evaluation.rendering.system_names import axis_names
from evaluation.stats.annotators.drift import AnnotatorDrift, Drift
from evaluation.stats.ranking.marked_systems import MarkedSystem, MarkedSystems
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem

Tooltip = list[dict[str, Any]]

# Height of a row in pixels.
ROW: Final = 28
# Characters of a label of the axis, which has at most 190 pixels.
LABEL: Final = 28
# Margin on each side, relative to the range of all intervals.
MARGIN: Final = 0.06
# Annotators with fewer screens have no meaningful change per 100 sentences.
FEWEST_SCREENS: Final = 50


def forest_plot(
    ranking: EstimatedRanking | MarkedSystems,
    middle: float | None,
    look: Look = PAPER,
    words: Words = ENGLISH,
) -> Specification | None:
    """Return the plot of one ranking, best on top; None where fewer than two systems have a score.

    Every second cluster has a background band, and the `middle` of scores a line.
    """
    rows = [_system_row(row, words) for row in ranking.systems if row.score.value is not None]
    if len(rows) < FEWEST_DOTS:
        return None
    labels = axis_names([row["system"] for row in rows], LABEL)
    rows = [{**row, "system": labels[row["system"]]} for row in rows]
    ends = [end for row in rows for end in (row["low"], row["high"])]
    layers = [_bands(rows, look)]
    if middle is not None and min(ends) <= middle <= max(ends):
        layers.append(mark(middle, look))
    tooltip = _tooltip(words)
    layers += [intervals(rows, look, tooltip), points(rows, look, tooltip)]
    return look.specification(
        ROW * len(rows),
        layer=layers,
        encoding={
            "y": {
                "field": "system",
                "type": "nominal",
                # Fixed, because the layer of bands has only some of the systems.
                "scale": {"domain": [row["system"] for row in rows]},
                "axis": {
                    "title": None,
                    "domain": False,
                    "labelColor": look.ink,
                    "labelFontSize": 13,
                    "labelLimit": 190,
                },
            },
            "x": {
                "type": "quantitative",
                "title": words.score,
                "axis": {"tickCount": 8},
                "scale": {"zero": False, "nice": False, "domain": domain(ends)},
            },
        },
    )


def _system_row(row: RankedSystem | MarkedSystem, words: Words) -> dict[str, Any]:
    score = row.score
    # The interval for other annotators too, or, where there is none, for other sentences.
    has_wide = score.wide_low is not None
    low, high = (score.wide_low, score.wide_high) if has_wide else (score.low, score.high)
    return {
        "system": row.system,
        "score": score.value,
        "low": score.value if low is None else low,
        "high": score.value if high is None else high,
        "ranks": f"{row.best_rank}–{row.worst_rank}" if row.best_rank else "",
        "cluster": row.cluster or 0,
        **words.figures(
            {"score": score.value, "low": low, "high": high}, 3, "score", "low", "high"
        ),
    }


def domain(ends: list[float]) -> list[float]:
    """Return the range of the axis."""
    low, high = min(ends), max(ends)
    margin = MARGIN * (high - low) or 0.05
    return [low - margin, high + margin]


def _bands(rows: list[dict[str, Any]], look: Look) -> dict[str, Any]:
    banded = [{"system": row["system"]} for row in rows if row["cluster"] % 2]
    return {
        "data": {"values": banded},
        "mark": {"type": "rect", "color": look.band, "opacity": 0.7, "tooltip": None},
        "encoding": {"x": {"value": 0}, "x2": {"value": "width"}},
    }


def mark(place: float, look: Look) -> dict[str, Any]:
    """Return the layer of a dashed line across all rows."""
    return {
        "data": {"values": [{"middle": place}]},
        "mark": {"type": "rule", "color": look.soft, "strokeDash": [3, 3]},
        "encoding": {"x": {"field": "middle", "type": "quantitative"}, "y": None},
    }


def intervals(rows: list[dict[str, Any]], look: Look, tooltip: Tooltip) -> dict[str, Any]:
    """Return the layer of lines from `low` to `high`."""
    return {
        "data": {"values": rows},
        "mark": {"type": "rule", "color": look.accent, "strokeWidth": 3, "strokeCap": "round"},
        "encoding": {
            "x": {"field": "low"},
            "x2": {"field": "high"},
            "tooltip": tooltip,
        },
    }


def points(rows: list[dict[str, Any]], look: Look, tooltip: Tooltip) -> dict[str, Any]:
    """Return the layer of points at `score`."""
    return {
        "data": {"values": rows},
        "mark": {
            "type": "point",
            "filled": True,
            "size": 110,
            "color": look.accent,
            "stroke": look.ground,
            "strokeWidth": 2,
            "opacity": 1,
        },
        "encoding": {"x": {"field": "score"}, "tooltip": tooltip},
    }


def _tooltip(words: Words) -> Tooltip:
    return [
        {"field": "system", "title": words.system},
        {"field": "score" + SHOWN, "title": words.score},
        {"field": "low" + SHOWN, "title": words.low},
        {"field": "high" + SHOWN, "title": words.high},
        {"field": "ranks", "title": words.rank},
    ]


def speed_changes(found: Drift, look: Look = PAPER, words: Words = ENGLISH) -> Specification | None:
    """Return the relative changes of the time for a judgement; None below two points.

    Annotators with fewer than FEWEST_SCREENS screens are left out.
    """
    every = [*found.annotators, found.together]
    taken = {row.annotator for row in found.annotators}
    together = words.together if words.together not in taken else f"({words.together})"
    rows = [
        _drift_row(row, row.annotator or together, words)
        for row in every
        if row.seconds.change.value is not None and row.seconds.screens >= FEWEST_SCREENS
    ]
    if len(rows) < FEWEST_DOTS:
        return None
    ends = [end for row in rows for end in (row["low"], row["high"], 0.0)]
    tooltip = [
        {"field": "name", "title": words.annotator},
        {"field": "score" + SHOWN, "title": words.change},
        {"field": "low" + SHOWN, "title": words.low},
        {"field": "high" + SHOWN, "title": words.high},
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


def _drift_row(row: AnnotatorDrift, name: str, words: Words) -> dict[str, Any]:
    change = row.seconds.change
    return {
        "name": name,
        "score": change.value,
        "low": change.value if change.low is None else change.low,
        "high": change.value if change.high is None else change.high,
        "score" + SHOWN: words.change_in_percent(change.value),
        "low" + SHOWN: words.change_in_percent(change.low),
        "high" + SHOWN: words.change_in_percent(change.high),
    }

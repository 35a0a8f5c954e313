"""Heat maps of pairs: systems by share of wins, annotators by agreement."""

from typing import Any, Final

from evaluation.report.figures.style import ENGLISH, PAPER, Look, Specification, Words
from evaluation.report.shape import PairRow, SignificancePart
from evaluation.stats.judgements import natural_key

# Height of a row in pixels.
SYSTEM_ROW: Final = 36
ANNOTATOR_ROW: Final = 30
# Shares of wins at which the colour changes; finer around one half, where most values are.
WIN_RATE_STEPS: Final = (0.35, 0.4, 0.45, 0.48, 0.52, 0.55, 0.6, 0.65)
# The interpretation of κ by Landis & Koch (1977).
KAPPA_STEPS: Final = (0.0, 0.2, 0.4, 0.6, 0.8)
# One star for each of these levels that p is below.
STARS: Final = (0.05, 0.01, 0.001)


def win_rate_map(
    part: SignificancePart, order: list[str], look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the map of shares of wins, rows against columns, in this order of systems.

    Stars mark significant differences. None if no two systems were compared.
    """
    places = {name: place for place, name in enumerate(part["systems"])}
    cells = [
        _win_rate_cell(part, row, column, places, words)
        for row in order
        for column in order
        if row != column and part["win_rate"][places[row]][places[column]] is not None
    ]
    if not cells:
        return None
    x = _side("column", order, words.column, look, {"orient": "top", "labelAngle": -40})
    y = _side("row", order, None, look, {})
    tooltip = [
        {"field": "row", "title": words.row},
        {"field": "column", "title": words.column},
        {"field": "rate", "type": "quantitative", "title": words.share_of_wins, "format": ".3f"},
        {"field": "p", "type": "quantitative", "title": words.p, "format": ".4f"},
    ]
    colour = {
        "field": "rate",
        "type": "quantitative",
        "scale": {
            "type": "threshold",
            "domain": list(WIN_RATE_STEPS),
            "range": list(look.diverging),
        },
        "legend": _legend(words.share_of_wins, ".2f"),
    }
    return look.specification(
        SYSTEM_ROW * len(order),
        data={"values": cells},
        encoding={"x": x, "y": y, "tooltip": tooltip},
        layer=[
            {"mark": _rectangle(look), "encoding": {"color": colour}},
            {"mark": _label(look), "encoding": _text("label")},
            {"mark": _label(look, dy=-4, weight=700), "encoding": _text("significant")},
            {"mark": _label(look, dy=10, size=11), "encoding": _text("stars")},
        ],
    )


def _win_rate_cell(
    part: SignificancePart, row: str, column: str, places: dict[str, int], words: Words
) -> dict[str, Any]:
    x, y = places[row], places[column]
    rate, p = part["win_rate"][x][y], part["p_holm"][x][y]
    label, marks = words.short(rate or 0), stars(p)
    return {
        "row": row,
        "column": column,
        "rate": rate,
        "p": p,
        "label": "" if marks else label,
        "significant": label if marks else "",
        "stars": marks,
    }


def stars(p: float | None) -> str:
    """Return one star for each significance level that p is below."""
    return "" if p is None else "*" * sum(p < level for level in STARS)


def pairs_map(
    pairs: list[PairRow], look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the map of κ of each pair of annotators; None if no κ is defined."""
    defined = [row for row in pairs if row["kappa"] is not None]
    if not defined:
        return None
    people = sorted(
        {row[side] for row in defined for side in ("annotator", "other")}, key=natural_key
    )
    cells = [
        {
            "row": one,
            "column": other,
            "kappa": row["kappa"],
            "label": words.short(row["kappa"] or 0.0),
            "compared": row["compared"],
        }
        for row in defined
        for one, other in (
            (row["annotator"], row["other"]),
            (row["other"], row["annotator"]),
        )
    ]
    tooltip = [
        {"field": "row", "title": words.annotator},
        {"field": "column", "title": words.other},
        {"field": "kappa", "type": "quantitative", "title": words.kappa, "format": ".3f"},
        {"field": "compared", "type": "quantitative", "title": words.pairs, "format": "d"},
    ]
    colour = {
        "field": "kappa",
        "type": "quantitative",
        "scale": {
            "type": "threshold",
            "domain": list(KAPPA_STEPS),
            "range": list(look.sequential),
        },
        "legend": _legend(words.kappa, ".1f"),
    }
    return look.specification(
        ANNOTATOR_ROW * len(people),
        data={"values": cells},
        encoding={
            "x": _side("column", people, None, look, {"orient": "top", "labelAngle": -40}),
            "y": _side("row", people, None, look, {}),
            "tooltip": tooltip,
        },
        layer=[
            {"mark": _rectangle(look), "encoding": {"color": colour}},
            {"mark": _label(look), "encoding": _text("label")},
        ],
    )


def _side(
    field: str, order: list[str], title: str | None, look: Look, axis: dict[str, Any]
) -> dict[str, Any]:
    return {
        "field": field,
        "type": "nominal",
        "scale": {"domain": order},
        "axis": {
            "title": title,
            "domain": False,
            "labelColor": look.ink,
            "labelLimit": 150,
            "grid": False,
            **axis,
        },
    }


def _legend(title: str, number: str) -> dict[str, Any]:
    return {
        "title": title,
        "format": number,
        "orient": "bottom",
        "direction": "horizontal",
        "offset": 14,
    }


def _rectangle(look: Look) -> dict[str, Any]:
    return {"type": "rect", "stroke": look.ground, "strokeWidth": 2, "cornerRadius": 3}


def _label(look: Look, *, dy: int = 0, size: int = 12, weight: int = 400) -> dict[str, Any]:
    return {
        "type": "text",
        "color": look.ink,
        "fontSize": size,
        "fontWeight": weight,
        "dy": dy,
        "tooltip": None,
    }


def _text(field: str) -> dict[str, Any]:
    return {"text": {"field": field, "type": "nominal"}}

"""Heat maps of pairs: systems by share of wins, annotators by agreement."""

from collections.abc import Sequence
from typing import Any, Final

from evaluation.rendering.figures.style import ENGLISH, PAPER, SHOWN, Look, Specification, Words
from evaluation.rendering.system_names import axis_names
from evaluation.stats.agreement.intervals import PairAgreement
from evaluation.stats.judgements import natural_key
from evaluation.stats.ranking.significance import Figures, Significance

# Height of a row in pixels.
SYSTEM_ROW: Final = 36
ANNOTATOR_ROW: Final = 30
# Characters of a label of the axes, which has at most 150 pixels.
LABEL: Final = 22
# Pixels: of a map where it is narrowest; of a character, about; between two labels.
NARROWEST: Final = 600
CHARACTER: Final = 6.4
GAP: Final = 8
# Shares of wins at which the colour changes, at even distances, as the legend shows them.
WIN_RATE_STEPS: Final = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65)
# The interpretation of κ by Landis & Koch (1977).
KAPPA_STEPS: Final = (0.0, 0.2, 0.4, 0.6, 0.8)
# One star for each of these levels that p is below.
STARS: Final = (0.05, 0.01, 0.001)


def win_rate_map(
    found: Significance,
    p: Figures,
    order: list[str],
    look: Look = PAPER,
    words: Words = ENGLISH,
) -> Specification | None:
    """Return the map of shares of wins, rows against columns, in this order of systems.

    Stars mark differences that are significant by `p`. None if no two systems were compared.
    """
    places = {name: place for place, name in enumerate(found.systems)}
    cells = [
        _win_rate_cell(row, column, rate, p[places[row]][places[column]], words)
        for row in order
        for column in order
        if row != column and (rate := found.win_rate[places[row]][places[column]]) is not None
    ]
    if not cells:
        return None
    labels = axis_names(order, LABEL)
    cells = [{**cell, **{side: labels[cell[side]] for side in ("row", "column")}} for cell in cells]
    order = [labels[name] for name in order]
    tooltip = [
        {"field": "row", "title": words.row},
        {"field": "column", "title": words.column},
        {"field": "rate" + SHOWN, "title": words.share_of_wins},
        {"field": "p" + SHOWN, "title": words.p},
    ]
    return look.specification(
        SYSTEM_ROW * len(order),
        **_cells(cells, order, words.column, tooltip, look),
        layer=[
            _colours("rate", WIN_RATE_STEPS, look.diverging, words.share_of_wins, ".2f", look),
            _label("label", look),
            _label("significant", look, dy=-4, weight=700),
            _label("stars", look, dy=10, size=11),
        ],
    )


def _win_rate_cell(
    row: str, column: str, rate: float, p: float | None, words: Words
) -> dict[str, Any]:
    label, marks = words.short(rate), stars(p)
    cell = {
        "row": row,
        "column": column,
        "rate": rate,
        "p": p,
        "label": "" if marks else label,
        "significant": label if marks else "",
        "stars": marks,
    }
    return cell | words.figures(cell, 3, "rate") | words.figures(cell, 4, "p")


def stars(p: float | None) -> str:
    """Return one star for each significance level that p is below."""
    return "" if p is None else "*" * sum(p < level for level in STARS)


def pairs_map(
    pairs: Sequence[PairAgreement], look: Look = PAPER, words: Words = ENGLISH
) -> Specification | None:
    """Return the map of κ of each pair of annotators; None if no κ is defined."""
    defined = [row for row in pairs if row.inter.kappa.value is not None]
    if not defined:
        return None
    people = sorted(
        {name for row in defined for name in (row.annotator, row.other)}, key=natural_key
    )
    labels = axis_names(people, LABEL)
    cells = [
        {
            "row": labels[one],
            "column": labels[other],
            "kappa": row.inter.kappa.value,
            "label": words.short(row.inter.kappa.value or 0.0),
            "compared": row.inter.compared,
            **words.figures({"kappa": row.inter.kappa.value}, 3, "kappa"),
        }
        for row in defined
        for one, other in (
            (row.annotator, row.other),
            (row.other, row.annotator),
        )
    ]
    tooltip = [
        {"field": "row", "title": words.annotator},
        {"field": "column", "title": words.other},
        {"field": "kappa" + SHOWN, "title": words.kappa},
        {"field": "compared", "type": "quantitative", "title": words.pairs, "format": "d"},
    ]
    return look.specification(
        ANNOTATOR_ROW * len(people),
        **_cells(cells, [labels[name] for name in people], None, tooltip, look),
        layer=[
            _colours("kappa", KAPPA_STEPS, look.sequential, words.kappa, ".1f", look),
            _label("label", look),
        ],
    )


def _cells(
    cells: list[dict[str, Any]],
    order: list[str],
    title: str | None,
    tooltip: list[dict[str, Any]],
    look: Look,
) -> dict[str, Any]:
    """Return data and axes of a map with the same names, in this order, on both sides."""

    def axis(field: str, **more: Any) -> dict[str, Any]:
        labels = {"domain": False, "labelColor": look.ink, "labelLimit": 150, "grid": False}
        return {
            "field": field,
            "type": "nominal",
            "scale": {"domain": order},
            "axis": {"title": None, **labels, **more},
        }

    # Names are turned where the columns are too narrow for the longest one.
    longest = CHARACTER * max(map(len, order)) + GAP
    angle = 0 if len(order) * longest <= NARROWEST - min(longest, 150 + GAP) else -40
    x, y = axis("column", title=title, orient="top", labelAngle=angle), axis("row")
    return {"data": {"values": cells}, "encoding": {"x": x, "y": y, "tooltip": tooltip}}


def _colours(
    field: str, steps: Sequence[float], colours: Sequence[str], title: str, number: str, look: Look
) -> dict[str, Any]:
    """Return the layer of coloured rectangles, with its legend."""
    legend = {
        "title": title,
        "format": number,
        "orient": "bottom",
        "direction": "horizontal",
        "offset": 14,
    }
    scale = {"type": "threshold", "domain": list(steps), "range": list(colours)}
    colour = {"field": field, "type": "quantitative", "scale": scale, "legend": legend}
    mark = {"type": "rect", "stroke": look.ground, "strokeWidth": 2, "cornerRadius": 3}
    return {"mark": mark, "encoding": {"color": colour}}


def _label(
    field: str, look: Look, *, dy: int = 0, size: int = 12, weight: int = 400
) -> dict[str, Any]:
    """Return the layer of texts in the cells."""
    mark = {
        "type": "text",
        "color": look.ink,
        "fontSize": size,
        "fontWeight": weight,
        "dy": dy,
        "tooltip": None,
    }
    return {"mark": mark, "encoding": {"text": {"field": field, "type": "nominal"}}}

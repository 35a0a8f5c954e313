"""What the page of a report shows of its data."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.report.figures.changes import FEWEST, speed_changes
from evaluation.report.formats import FORMATS
from evaluation.report.readings import NoLeader, headline, significant_pairs
from evaluation.report.shape import ReportData
from evaluation.report.tables import tables
from evaluation.web.report_texts import METHODS, METHODS_EXPLAINED

FIRST_METHOD: Final = "ratio_of_wins"


def contents(data: ReportData, wanted: str) -> dict[str, Any]:
    """Return what the templates need; `wanted` is the method of the ranking, if there is such."""
    methods = [name for name in METHODS if name in data["rankings"]]
    method = wanted if wanted in methods else FIRST_METHOD
    lead = headline(data, method)
    different, tested = significant_pairs(data)
    changes = [*data["drift"]["annotators"], data["drift"]["together"]]
    return {
        "report": data,
        "method": method,
        "methods": [(name, METHODS[name]) for name in methods],
        "explained": METHODS_EXPLAINED[method],
        "ranking": data["rankings"].get(method),
        "ranking_name": f"ranking-{method}",
        "headline": None if isinstance(lead, NoLeader) else lead,
        "no_leader": lead.name if isinstance(lead, NoLeader) else "",
        "different": different,
        "tested": tested,
        "left": data["judged"].get("sentences_left"),
        "system_pairs": _system_pairs(data),
        "measures": _measures(data),
        "effects": _effects(data),
        "changes": changes,
        "any_changes": any(
            row[what]["value"] is not None for row in changes for what in ("seconds", "agreement")
        ),
        "any_speeds": any(row["seconds"]["value"] is not None for row in changes),
        "changes_drawn": speed_changes(data["drift"]) is not None,
        "fewest_drawn": FEWEST,
        "any_controls": any(row["controls"] for row in data["annotators"]),
        "any_pairs": any(row["kappa"] is not None for row in data["pairs"]),
        "judged_twice": data["judged"]["judgements"] > data["judged"]["segments_judged"],
        "tables": tables(data),
        "extensions": list(FORMATS),
    }


def _system_pairs(data: ReportData) -> list[dict[str, Any]]:
    """Return each pair of systems once, as rows of its table."""
    part = data["significance"]
    names = part["systems"]
    return [
        {
            "system": names[x],
            "other": names[y],
            "wins": part["wins"][x][y],
            "losses": part["losses"][x][y],
            "ties": part["ties"][x][y],
            "win_rate": part["win_rate"][x][y],
            "p": part["p"][x][y],
            "p_holm": part["p_holm"][x][y],
        }
        for x in range(len(names))
        for y in range(x + 1, len(names))
    ]


def _measures(data: ReportData) -> list[dict[str, Any]]:
    """Return the rows of the table of agreement; `read` for those that have a reading."""
    part = data["agreement"]
    kappas = (
        (_("κ with oneself (intra)"), part["intra"]),
        (_("κ with others (inter)"), part["inter"]),
    )
    judged, taus = part["alpha"]["units"], part["tau_b"]
    behind = ngettext("%(n)d pair of candidates", "%(n)d pairs of candidates", judged)
    rows: list[dict[str, Any]] = [
        {**row, "name": name, "value": row["kappa"], "read": True} for name, row in kappas
    ]
    rows.append({**part["alpha"], "name": _("Krippendorff’s α"), "behind": behind % {"n": judged}})
    for name, row in (
        (_("τ-b with oneself"), taus["intra"]),
        (_("τ-b with others"), taus["inter"]),
    ):
        pairs = ngettext("%(n)d pair of judgements", "%(n)d pairs of judgements", row["units"])
        rows.append({**row, "name": name, "behind": pairs % {"n": row["units"]}})
    return [{**row, "width": _width(row)} for row in rows]


def _effects(data: ReportData) -> list[dict[str, Any]]:
    part = data["sequence"]
    return [
        {**part["garbage"], "name": _("Garbage goes along with the sentence before")},
        {**part["ties"], "name": _("Ties go along with the sentence before")},
        {**part["place"], "name": _("The candidate shown first is better")},
    ]


def _width(row: dict[str, Any]) -> float:
    """Return how long the interval is on a scale from 0 to 1."""
    low, high = row["low"], row["high"]
    return 0.0 if low is None or high is None else max(0.0, min(1.0, high) - max(0.0, low))

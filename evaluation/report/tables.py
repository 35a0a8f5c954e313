"""All tables of a report, from its plain JSON: to be downloaded, or written by a command."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from evaluation.report import tables_of_people
from evaluation.report.notes import interval_note, reasons
from evaluation.report.shape import RankingPart, ReportData, SystemRow
from evaluation.report.table import Cell, Column, Table

METHODS: Final = {
    "ratio_of_wins": "ratio of wins, ties ignored",
    "ratio_with_ties": "ratio of wins, ties counted as wins",
    "expected_wins": "expected wins",
    "bradley_terry": "Bradley–Terry with ties",
    "skill": "a TrueSkill-like rating (openskill)",
}
SKILL: Final = "skill"
NO_RANGES: Final = (
    "Sigma is the rating's own uncertainty. It is computed once, in order of time, and not from "
    "resamples of sentences, so there are no intervals, no ranges of ranks and no clusters."
)


def tables(report: ReportData) -> list[Table]:
    """Return every table that the report has something for, in the order of the page."""
    rankings = [ranking(report, method) for method in report["rankings"]]
    return [*rankings, *(make(report) for make in _OTHERS.values())]


def table(report: ReportData, name: str) -> Table | None:
    """Return one table by its name; None where there is none of this name."""
    method = name.removeprefix("ranking-")
    if name.startswith("ranking-") and method in report["rankings"]:
        return ranking(report, method)
    make = _OTHERS.get(name)
    return make(report) if make else None


def is_table(name: str) -> bool:
    """Whether reports give a table this name, whatever methods they rank by."""
    return name.startswith("ranking-") or name in _OTHERS


def ranking(report: ReportData, method: str) -> Table:
    """Return the systems by one method, best first; lines part the clusters."""
    part = report["rankings"][method]
    if method == SKILL:
        return _by_skill(part)
    return Table(
        f"ranking-{method}",
        f"Systems by {METHODS.get(method, method)}.",
        (
            Column("rank", "rank"),
            Column("system", "system", is_text=True),
            Column("score", "score"),
            Column("low", "from"),
            Column("high", "to"),
            Column("best_rank", "best rank"),
            Column("worst_rank", "worst rank"),
            Column("cluster", "cluster"),
            Column("wins", "wins"),
            Column("losses", "losses"),
            Column("ties", "ties"),
        ),
        tuple(_system(row) for row in part["systems"]),
        (interval_note(report), *reasons(part["systems"]), part["signature"]),
        _ends_of_clusters(part),
    )


def _by_skill(part: RankingPart) -> Table:
    """Return the systems with their uncertainty, which is no interval of resamples."""
    return Table(
        f"ranking-{SKILL}",
        f"Systems by {METHODS[SKILL]}.",
        (
            Column("rank", "rank"),
            Column("system", "system", is_text=True),
            Column("score", "score"),
            Column("sigma", "sigma"),
            Column("wins", "wins"),
            Column("losses", "losses"),
            Column("ties", "ties"),
        ),
        tuple(
            (
                row["rank"],
                row["system"],
                row["score"],
                row.get("sigma"),
                row["wins"],
                row["losses"],
                row["ties"],
            )
            for row in part["systems"]
        ),
        (NO_RANGES, *reasons(part["systems"]), part["signature"]),
    )


def _system(row: SystemRow) -> tuple[Cell, ...]:
    return (
        row["rank"],
        row["system"],
        row["score"],
        row["low"],
        row["high"],
        row["best_rank"],
        row["worst_rank"],
        row["cluster"],
        row["wins"],
        row["losses"],
        row["ties"],
    )


def _ends_of_clusters(part: RankingPart) -> frozenset[int]:
    clusters = [row["cluster"] for row in part["systems"]]
    return frozenset(
        place for place, (one, next_) in enumerate(pairwise(clusters), 1) if one != next_
    )


def _win_rates(report: ReportData) -> Table:
    part = report["significance"]
    names = part["systems"]
    why = part.get("undefined") or [[""] * len(names)] * len(names)
    rows = [
        (
            names[x],
            names[y],
            part["wins"][x][y],
            part["losses"][x][y],
            part["ties"][x][y],
            part["win_rate"][x][y],
            part["p"][x][y],
            part["p_holm"][x][y],
            why[x][y],
        )
        for x in range(len(names))
        for y in range(len(names))
        if x != y
    ]
    return Table(
        "win-rates",
        "How often the system in the first column was better than the other.",
        (
            Column("system", "system", is_text=True),
            Column("other", "other", is_text=True),
            Column("wins", "wins"),
            Column("losses", "losses"),
            Column("ties", "ties"),
            Column("win_rate", "share of wins"),
            Column("p", "p", places=4),
            Column("p_holm", "p (Holm)", places=4),
            Column("undefined", "undefined, since", is_text=True),
        ),
        tuple(rows),
        (part["signature"],),
    )


def _learning_curve(report: ReportData) -> Table:
    part = report["learning_curve"]
    rows = [
        (point["sentences"], point["tau"], point["low"], point["high"], point["width"])
        for point in part["points"]
    ]
    return Table(
        "learning-curve",
        "How near the ranking of fewer sentences comes to that of all (Kendall's τ), and how wide "
        "its intervals are.",
        (
            Column("sentences", "sentences"),
            Column("tau", "τ"),
            Column("low", "from"),
            Column("high", "to"),
            Column("width", "width of intervals"),
        ),
        tuple(rows),
        (*([f"{part['undefined']}."] if part["undefined"] else []), part["signature"]),
    )


def _contrasts(report: ReportData) -> Table:
    rows = [
        (
            row["sentence"],
            row["judgements"],
            row["best"],
            row["best_score"],
            row["worst"],
            row["worst_score"],
            row["spread"],
        )
        for row in report["contrasts"]
    ]
    return Table(
        "contrasting-sentences",
        "Sentences on which systems differ most.",
        (
            Column("sentence", "sentence"),
            Column("judgements", "judgements"),
            Column("best", "best", is_text=True),
            Column("best_score", "net wins", places=2),
            Column("worst", "worst", is_text=True),
            Column("worst_score", "net wins", places=2),
            Column("spread", "difference", places=2),
        ),
        tuple(rows),
        ("Net wins of a system: from -1, it lost every comparison, to 1.", report["signature"]),
    )


_OTHERS: Final[dict[str, Callable[[ReportData], Table]]] = {
    "win-rates": _win_rates,
    "agreement": tables_of_people.agreement,
    "annotators": tables_of_people.annotators,
    "pairs-of-annotators": tables_of_people.pairs,
    "learning-curve": _learning_curve,
    "sequence": tables_of_people.sequence,
    "drift": tables_of_people.drift,
    "disputed-segments": tables_of_people.disputed,
    "contrasting-sentences": _contrasts,
}

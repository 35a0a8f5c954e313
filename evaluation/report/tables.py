"""The tables of a report, made from its plain JSON, for downloads and commands."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from evaluation.report.readings import interval_note, reasons
from evaluation.report.shape import KappaRow, RankingPart, ReportData, SystemRow

Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """`name` is for programs, `heading` for people; numbers have `places` decimals."""

    name: str
    heading: str
    is_text: bool = False
    places: int = 3


@dataclass(frozen=True)
class Table:
    """Rows have a cell for each column; a line follows each row whose number is in `rules`."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    rules: frozenset[int] = frozenset()


METHODS: Final = {
    "ratio_of_wins": "ratio of wins, ties ignored",
    "ratio_with_ties": "ratio of wins, ties counted as wins",
    "expected_wins": "expected wins",
    "bradley_terry": "Bradley–Terry with ties",
    "skill": "a TrueSkill-like rating (openskill)",
}
SKILL: Final = "skill"
NO_RANGES: Final = (
    "Sigma is the rating's own uncertainty. The rating is computed once, in order of time, and not "
    "from resamples of sentences, so there are no intervals, rank ranges or clusters."
)


def tables(report: ReportData) -> list[Table]:
    """Return all tables, in the order of the page."""
    rankings = [ranking(report, method) for method in report["rankings"]]
    return [*rankings, *(make(report) for make in _OTHERS.values())]


def table(report: ReportData, name: str) -> Table | None:
    """Return the table of this name, or None."""
    method = name.removeprefix("ranking-")
    if name.startswith("ranking-") and method in report["rankings"]:
        return ranking(report, method)
    make = _OTHERS.get(name)
    return make(report) if make else None


def is_table(name: str) -> bool:
    """Tell whether a report, by any ranking method, can have a table of this name."""
    return name.startswith("ranking-") or name in _OTHERS


def ranking(report: ReportData, method: str) -> Table:
    """Return the systems by one method, best first; lines separate the clusters."""
    part = report["rankings"][method]
    if method == SKILL:
        return _by_skill(part)
    return Table(
        f"ranking-{method}",
        f"Systems by {METHODS[method]}.",
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
            part["undefined"][x][y],
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
            Column("undefined", "undefined because", is_text=True),
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
        "Kendall's τ between the ranking by fewer sentences and that by all, and the mean width of "
        "its intervals.",
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
        "Sentences with the largest difference between systems.",
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
        (
            "Net wins: -1 if the system lost every comparison, 1 if it won every one.",
            report["signature"],
        ),
    )


_KAPPA: Final = (
    Column("agree", "agree"),
    Column("compared", "compared"),
    Column("kappa", "κ"),
    Column("low", "from"),
    Column("high", "to"),
)


def agreement(report: ReportData) -> Table:
    part = report["agreement"]
    rows: list[tuple[Cell, ...]] = [
        (f"κ {name}", kappa["agree"], kappa["compared"], *_span(kappa, "kappa"))
        for name, kappa in (("intra", part["intra"]), ("inter", part["inter"]))
    ]
    for name, estimate in (
        ("α (Krippendorff)", part["alpha"]),
        ("τ-b intra", part["tau_b"]["intra"]),
        ("τ-b inter", part["tau_b"]["inter"]),
    ):
        rows.append((name, None, None, *_span(estimate, "value")))
    everything = [part["intra"], part["inter"], part["alpha"], *part["tau_b"].values()]
    return Table(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter).",
        (
            Column("measure", "measure", is_text=True),
            Column("agree", "agree"),
            Column("compared", "compared"),
            Column("value", "value"),
            Column("low", "from"),
            Column("high", "to"),
        ),
        tuple(rows),
        (interval_note(report), *reasons(everything), part["signature"]),
    )


def _span(row: Any, key: str) -> tuple[Cell, Cell, Cell]:
    return row[key], row["low"], row["high"]


def annotators(report: ReportData) -> Table:
    rows = [
        (
            row["annotator"],
            row["sentences"],
            row["segments"],
            row["seconds"],
            row["seconds_per_segment"],
            *_kappa(row["intra"]),
            *_kappa(row["inter"]),
            row["controls"],
            row["controls_passed"],
        )
        for row in report["annotators"]
    ]
    return Table(
        "annotators",
        "Annotators, their time and their agreement.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("sentences", "sentences"),
            Column("segments", "segments"),
            Column("seconds", "seconds", places=0),
            Column("seconds_per_segment", "s/segment", places=1),
            Column("kappa_intra", "κ intra"),
            Column("kappa_intra_low", "from"),
            Column("kappa_intra_high", "to"),
            Column("kappa_intra_sentences", "sentences"),
            Column("kappa_inter", "κ inter"),
            Column("kappa_inter_low", "from"),
            Column("kappa_inter_high", "to"),
            Column("kappa_inter_sentences", "sentences"),
            Column("controls", "controls"),
            Column("controls_passed", "passed"),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons(
                [kappa for row in report["annotators"] for kappa in (row["intra"], row["inter"])]
            ),
            report["agreement"]["signature"],
        ),
    )


def _kappa(row: KappaRow) -> tuple[Cell, Cell, Cell, Cell]:
    return row["kappa"], row["low"], row["high"], row["sentences"]


def pairs(report: ReportData) -> Table:
    rows = [
        (
            row["annotator"],
            row["other"],
            row["agree"],
            row["compared"],
            row["kappa"],
            row["low"],
            row["high"],
            row["sentences"],
        )
        for row in report["pairs"]
    ]
    return Table(
        "pairs-of-annotators",
        "Agreement of each pair of annotators who judged the same segments.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("other", "other", is_text=True),
            *_KAPPA,
            Column("sentences", "sentences"),
        ),
        tuple(rows),
        (interval_note(report), *reasons(report["pairs"]), report["agreement"]["signature"]),
    )


def disputed(report: ReportData) -> Table:
    rows = [
        (
            row["sentence"],
            row["words"],
            row["judgements"],
            row["annotators"],
            row["agree"],
            row["reversed"],
            row["compared"],
        )
        for row in report["disputed"]
    ]
    return Table(
        "disputed-segments",
        "Segments with the least agreement.",
        (
            Column("sentence", "sentence"),
            Column("words", "segment", is_text=True),
            Column("judgements", "judgements"),
            Column("annotators", "annotators"),
            Column("agree", "agree"),
            Column("reversed", "reversed"),
            Column("compared", "compared"),
        ),
        tuple(rows),
        (
            "Of all pairs of candidates compared: in how many the two judgements agree, and in how "
            "many one orders the candidates the other way round.",
            report["signature"],
        ),
    )


def sequence(report: ReportData) -> Table:
    part = report["sequence"]
    rows: list[tuple[Cell, ...]] = [
        (name, row["compared"], *_span(row, "value"), row["p"])
        for name, row in (
            ("share of garbage, with the previous sentence", part["garbage"]),
            ("share of ties, with the previous sentence", part["ties"]),
        )
    ]
    place = part["place"]
    pairs = place["earlier_better"] + place["later_better"]
    rows.append(("candidate shown earlier better", pairs, *_span(place, "value"), place["p"]))
    return Table(
        "sequence",
        "Sequence effects: correlations with the previous sentence, and the share of pairs in "
        "which the candidate shown earlier is better.",
        (
            Column("effect", "effect", is_text=True),
            Column("compared", "compared"),
            Column("value", "value"),
            Column("low", "from"),
            Column("high", "to"),
            Column("p", "p", places=4),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons([part["garbage"], part["ties"], place]),
            part["signature"],
        ),
    )


def drift(report: ReportData) -> Table:
    part = report["drift"]
    rows = [
        (
            row["annotator"] or "together",
            *_span(row["seconds"], "value"),
            row["seconds"]["screens"],
            *_span(row["agreement"], "value"),
            row["agreement"]["screens"],
        )
        for row in (*part["annotators"], part["together"])
    ]
    return Table(
        "drift",
        "Change per 100 sentences of the time for a segment (relative) and of the share of pairs "
        "that agree with others.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("seconds", "time"),
            Column("seconds_low", "from"),
            Column("seconds_high", "to"),
            Column("seconds_screens", "sentences"),
            Column("agreement", "agreement"),
            Column("agreement_low", "from"),
            Column("agreement_high", "to"),
            Column("agreement_screens", "sentences"),
        ),
        tuple(rows),
        (interval_note(report), part["signature"]),
        frozenset({len(rows) - 1}),
    )


_OTHERS: Final[dict[str, Callable[[ReportData], Table]]] = {
    "win-rates": _win_rates,
    "agreement": agreement,
    "annotators": annotators,
    "pairs-of-annotators": pairs,
    "learning-curve": _learning_curve,
    "sequence": sequence,
    "drift": drift,
    "disputed-segments": disputed,
    "contrasting-sentences": _contrasts,
}

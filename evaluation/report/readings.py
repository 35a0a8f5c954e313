"""Figures in words: which system leads, how good an agreement is, why a figure is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any, Final, Literal

from evaluation.report.options import ReportOptions
from evaluation.report.shape import (
    AssessedSystemRow,
    GradePairsPart,
    MarkedSystemRow,
    ReportData,
    SignificancePart,
    SystemRow,
)
from evaluation.stats.agreement.kappa import only_ties
from evaluation.stats.ranking.mean_grades import METHOD as MEAN_GRADE
from evaluation.stats.score_means import METHOD as MEAN_SCORE
from evaluation.stats.units import Unit

SIGNIFICANT: Final = 0.05


class Reading(Enum):
    """Interpretation of κ by Landis & Koch (1977), The Measurement of Observer Agreement."""

    POOR = "poor"
    SLIGHT = "slight"
    FAIR = "fair"
    MODERATE = "moderate"
    SUBSTANTIAL = "substantial"
    ALMOST_PERFECT = "almost perfect"


def read_kappa(kappa: float | None) -> Reading | None:
    """Return the interpretation of κ; None where it is undefined."""
    if kappa is None:
        return None
    if kappa < 0:
        return Reading.POOR
    bounds = (0.2, 0.4, 0.6, 0.8)
    return list(Reading)[1 + sum(kappa > bound for bound in bounds)]


class NoLeader(Enum):
    """Why no system leads."""

    NOTHING_JUDGED = "nothing judged"
    NO_SYSTEMS = "no systems"
    ONE_SYSTEM = "one system"
    NO_SCORES = "no scores"


@dataclass(frozen=True)
class Headline:
    """The first system of one ranking, and how certain its lead is.

    `level`: all systems of the first rank, if there are several. All else rests on the tests of
    pairs (p < 0.05 after Holm), and not on clusters, which rest on ranges of ranks: `doubted` are
    systems over which the lead is not significant; it is over `beaten` of `others`. `unmet`:
    systems that it was never judged together with. `clustered` is False if too little was judged to
    say so: then no lead is significant. `only_sentences` says why
    all this holds for the present annotators only; "" if it does not.
    """

    leader: SystemRow
    level: tuple[str, ...]
    doubted: tuple[str, ...]
    unmet: tuple[str, ...]
    beaten: int
    others: int
    clustered: bool
    only_sentences: str

    @property
    def sure(self) -> bool:
        """Whether the leader leads significantly over all others."""
        alone = not (self.level or self.doubted or self.unmet)
        return self.clustered and alone and self.beaten == self.others

    @property
    def in_doubt(self) -> int:
        """The number of systems that may be as good."""
        return len(self.doubted) + len(self.unmet)


def has_order(report: ReportData) -> bool:
    """Tell whether systems are compared on a sheet: single translations have no order, and no tie.

    Projects of error spans have had several translations on a sheet.
    """
    if "marked_errors" not in report:
        return not report.get("assessments")
    return any(
        row["wins"] or row["losses"] or row["ties_of_different_texts"]
        for part in report["rankings"].values()
        for row in part["systems"]
    )


def has_curve(report: ReportData) -> bool:
    """Tell whether the report has a learning curve: standardised scores have none."""
    return has_order(report) or report["learning_curve"].get("method") == MEAN_SCORE


def has_only_ties(report: ReportData, kind: Literal["intra", "inter"]) -> bool:
    """Tell whether all judgements behind κ have only ties: then it says nothing about orders."""
    part = report["agreement"]
    row, taus = part[kind], part["tau_b"][kind]["units"]
    return only_ties(row["agree"], row["compared"], any_tau=bool(taus))


def ranking_methods(report: ReportData) -> list[str]:
    """Return the methods of the report's rankings by order."""
    return list(report["rankings"]) if has_order(report) else []


def headline(report: ReportData, method: str) -> Headline | NoLeader:
    """Return the system that leads by this method, or why none does."""
    rows = report["rankings"][method]["systems"] if report["rankings"] else []
    scored = [row for row in rows if row["score"] is not None]
    if not report["judged"]["judgements"]:
        return NoLeader.NOTHING_JUDGED
    if len(rows) < 2:
        return NoLeader.ONE_SYSTEM if rows else NoLeader.NO_SYSTEMS
    if not scored:
        return NoLeader.NO_SCORES
    leader, others = scored[0], rows[1:]
    by_grade = report["answers"]["pairs"] if method == MEAN_GRADE and report["answers"] else None
    if by_grade:
        met, beaten = _met_and_beaten_by_grade(by_grade, leader["system"])
    else:
        met, beaten = _met(report, leader["system"]), _beaten(report, leader["system"])
    if leader["cluster"] is None:
        beaten = set()
    level = [row["system"] for row in scored if row["rank"] == leader["rank"]]
    return Headline(
        leader=leader,
        level=tuple(level) if len(level) > 1 else (),
        doubted=tuple(
            row["system"] for row in others if row["system"] in met and row["system"] not in beaten
        ),
        unmet=tuple(row["system"] for row in others if row["system"] not in met),
        beaten=len(beaten),
        others=len(others),
        clustered=leader["cluster"] is not None,
        only_sentences=(by_grade or report["significance"])["only_sentences"],
    )


@dataclass(frozen=True)
class MeanLeader:
    """The first system by mean score; it is significantly better than `wins` of `others`.

    `level`: all systems with its score, if there are several.

    Of pairs of systems, `different` of `tested` differ significantly. Tests are not corrected for
    the number of pairs.
    """

    row: AssessedSystemRow | MarkedSystemRow
    level: tuple[str, ...]
    wins: int
    others: int
    different: int
    tested: int


def mean_leader(report: ReportData) -> MeanLeader | None:
    """Return the system with the best mean score; None of projects without scores."""
    if part := report.get("assessments"):
        rows: Sequence[AssessedSystemRow | MarkedSystemRow] = part["systems"]
        wins = [row["wins"] for row in part["systems"]]
    elif marked := report.get("marked_errors"):
        rows = marked["systems"]
        wins = [len(rows) - row["worst_rank"] for row in marked["systems"]]
    else:
        return None
    if len(rows) < 2:
        return None
    pairs = len(rows) * (len(rows) - 1) // 2
    level = tuple(row["system"] for row in rows if row["value"] == rows[0]["value"])
    level = level if len(level) > 1 else ()
    return MeanLeader(rows[0], level, wins[0], len(rows) - 1, sum(wins), pairs)


def _met_and_beaten_by_grade(part: GradePairsPart, system: str) -> tuple[set[str], set[str]]:
    """Return the systems that this one was judged together with, and those it is better than."""
    met, beaten = set(), set()
    for pair, p in zip(part["pairs"], decisive_p_of_grades(part), strict=True):
        difference = pair["difference"]["value"]
        if system not in (pair["system"], pair["other"]) or difference is None:
            continue
        other = pair["other"] if system == pair["system"] else pair["system"]
        met.add(other)
        lead = difference if system == pair["system"] else -difference
        if p is not None and p < SIGNIFICANT and lead > 0:
            beaten.add(other)
    return met, beaten


def _met(report: ReportData, system: str) -> set[str]:
    """Return the systems that this one was judged together with."""
    part = report["significance"]
    if system not in part["systems"]:
        return set()
    place = part["systems"].index(system)
    columns = (part["wins"][place], part["losses"][place], part["ties"][place])
    return {
        name
        for name, *counts in zip(part["systems"], *columns, strict=True)
        if any(counts) and name != system
    }


def _beaten(report: ReportData, system: str) -> set[str]:
    """Return the systems that this one is significantly better than."""
    part = report["significance"]
    if system not in part["systems"]:
        return set()
    place = part["systems"].index(system)
    columns = (decisive_p(part)[place], part["win_rate"][place])
    return {
        name
        for name, p, rate in zip(part["systems"], *columns, strict=True)
        if p is not None and p < SIGNIFICANT and rate is not None and rate > 0.5
    }


def decisive_p(part: SignificancePart) -> list[list[float | None]]:
    """Return p after Holm for other annotators too, where known, else for other sentences."""
    return part["p_holm"] if part["only_sentences"] else part["wide_p_holm"]


def decisive_p_of_grades(part: GradePairsPart) -> list[float | None]:
    """Return the same p of each pair of systems whose grades are compared."""
    name: Literal["p_holm", "wide_p_holm"] = "p_holm" if part["only_sentences"] else "wide_p_holm"
    return [pair[name] for pair in part["pairs"]]


def significant_pairs(report: ReportData, method: str = "") -> tuple[int, int]:
    """Return the number of pairs of systems that differ significantly, and of pairs tested.

    By mean grades if that is the method, else by wins.
    """
    if method == MEAN_GRADE and report["answers"]:
        every = decisive_p_of_grades(report["answers"]["pairs"])
    else:
        every = [p for x, row in enumerate(decisive_p(report["significance"])) for p in row[:x]]
    tested = [p for p in every if p is not None]
    return sum(p < SIGNIFICANT for p in tested), len(tested)


def undecided_pairs(part: SignificancePart) -> list[tuple[str, str]]:
    """Return the pairs of systems that do not differ significantly, or were not tested."""
    names, p = part["systems"], decisive_p(part)
    return [
        (names[x], names[y])
        for x, y in combinations(range(len(names)), 2)
        if (found := p[x][y]) is None or found >= SIGNIFICANT
    ]


def ranking_scope(only_sentences: str) -> str:
    """Return what the intervals, rank ranges and clusters of a ranking hold for.

    `only_sentences` says why for no other annotators; "" if for them too.
    """
    if only_sentences:
        return (
            "Intervals, rank ranges and clusters hold for other sentences judged by these "
            f"annotators, not for other annotators: {only_sentences}."
        )
    return (
        "The first interval holds for other sentences judged by these annotators; the second, rank "
        "ranges and clusters hold for other sentences and other annotators."
    )


def sampled_unit(report: ReportData) -> Unit:
    """Return what the intervals of the report sample."""
    return ReportOptions.from_json(report["options"]).sampled


def interval_note(report: ReportData) -> str:
    unit = sampled_unit(report)
    return (
        f"95 % intervals for other {unit.plural} come from {report['resamples']} resamples of "
        f"{unit}, those for other annotators too from Student's t over {unit.plural} and "
        "annotators."
    )


def excluded_by_kappa(report: ReportData) -> bool:
    """Tell whether annotators were excluded where there was a minimum of κ."""
    return report["options"]["minimum_kappa"] is not None and bool(report["left_out"]["annotators"])


def bias_notes(report: ReportData) -> list[str]:
    """Return what is to be said of agreement if annotators were excluded by κ."""
    if not excluded_by_kappa(report):
        return []
    return [
        "Annotators were excluded by their κ, some of whom disagreed by chance: the agreement of "
        "the others is biased upwards."
    ]


def reasons(rows: Sequence[Any]) -> list[str]:
    """Return each reason why a figure or an interval of these rows is missing, once."""
    reasons = dict.fromkeys(row["undefined"] for row in rows)
    lacking = dict.fromkeys(row["no_interval"] for row in rows)
    narrow = dict.fromkeys(row.get("no_wide_interval", "") for row in rows)
    return [
        *(f"{reason[0].upper()}{reason[1:]}." for reason in reasons if reason),
        *(f"No interval: {reason}." for reason in lacking if reason),
        *(
            f"No interval for other annotators: {reason}."
            for reason in narrow
            if reason and reason not in lacking
        ),
    ]


def grade_and_label(grade: float, label: str) -> str:
    """Return the grade and the label of a step; only the label where it is the grade."""
    return label if label == f"{grade:g}" else f"{grade:g} – {label}"

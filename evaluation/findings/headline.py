"""The answer in short: which system leads, and how certain that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from evaluation.findings.conclusions import ConcludedFigure
from evaluation.findings.pairs import SIGNIFICANT, decisive_p
from evaluation.findings.report import Report
from evaluation.findings.scales import ScaleSystem
from evaluation.stats.assessment.systems import AssessedSystem
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.marked_systems import MarkedSystem
from evaluation.stats.ranking.mean_grades import METHOD as MEAN_GRADE
from evaluation.stats.ranking.mean_grades import GradeDifferences
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import RankedSystem


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
    say so: then no lead is significant. `only_sentences` says why all this holds for the present
    annotators only; "" if it does not.
    """

    leader: RankedSystem
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


def headline(report: Report, method: str) -> Headline | NoLeader:
    """Return the system that leads by this method, or why none does."""
    rows = report.rankings[method].systems if report.rankings else ()
    scored = [row for row in rows if row.score.value is not None]
    if not report.judged.judgements:
        return NoLeader.NOTHING_JUDGED
    if len(rows) < 2:
        return NoLeader.ONE_SYSTEM if rows else NoLeader.NO_SYSTEMS
    if not scored:
        return NoLeader.NO_SCORES
    leader, others = scored[0], rows[1:]
    by_grade = report.answers.pairs if method == MEAN_GRADE and report.answers else None
    if by_grade:
        met, beaten = _met_and_beaten_by_grade(by_grade, leader.system)
    else:
        met = _met(report.significance, leader.system)
        beaten = _beaten(report.significance, leader.system)
    if leader.cluster is None:
        beaten = set()
    level = [row.system for row in scored if row.rank == leader.rank]
    return Headline(
        leader=leader,
        level=tuple(level) if len(level) > 1 else (),
        doubted=tuple(
            row.system for row in others if row.system in met and row.system not in beaten
        ),
        unmet=tuple(row.system for row in others if row.system not in met),
        beaten=len(beaten),
        others=len(others),
        clustered=leader.cluster is not None,
        only_sentences=(by_grade or report.significance).only_sentences,
    )


@dataclass(frozen=True)
class MeanLeader:
    """The first system by mean score or points; it is significantly better than `wins` of `others`.

    `level`: all systems with its score, if there are several. Of pairs of systems, `different` of
    `tested` differ significantly; tests are not corrected for the number of pairs unless they are
    `by_model` of documents. `only_units` says why the latter hold for the present annotators only.
    `scale` is the first of several scales, on which it leads; "" where there is one.
    """

    system: str
    level: tuple[str, ...]
    wins: int
    others: int
    different: int
    tested: int
    scale: str = ""
    by_model: bool = False
    only_units: str = ""


def standing(report: Report) -> list[tuple[str, Estimate]]:
    """Return systems with their scores, the best first, as the report leads with them.

    By the model of documents, else mean scores, else the first ranking.
    """
    if report.conclusions:
        return [(row.system, row.score) for row in report.conclusions[0].found.systems]
    if means := _mean_scores(report):
        return [(row.system, score) for row, score in means]
    ranked = report.ordered_rankings[0].systems if report.has_order and report.rankings else ()
    return [(row.system, row.score) for row in ranked]


def mean_leader(report: Report) -> MeanLeader | None:
    """Return the system with the best mean score; None of projects without them."""
    if report.conclusions:
        return _concluded_leader(report.conclusions[0])
    rows = _mean_scores(report)
    if len(rows) < 2:
        return None
    wins = [
        row.wins if isinstance(row, AssessedSystem) else len(rows) - row.worst_rank
        for row, _score in rows
    ]
    leader, best = rows[0]
    level = tuple(row.system for row, score in rows if score.value == best.value)
    return MeanLeader(
        leader.system,
        level if len(level) > 1 else (),
        wins[0],
        len(rows) - 1,
        sum(wins),
        len(rows) * (len(rows) - 1) // 2,
        report.scales.scales[0].name if report.scales else "",
    )


def _mean_scores(
    report: Report,
) -> Sequence[tuple[AssessedSystem | MarkedSystem | ScaleSystem, Estimate]]:
    """Return systems with their mean scores or points, the best first; none where there are none.

    Of several scales, those on the first.
    """
    if report.assessments:
        return [(row, row.z) for row in report.assessments.systems]
    if report.marked_errors:
        return [(row, row.score) for row in report.marked_errors.by_system.systems]
    if report.scales:
        return [(row, row.score) for row in report.scales.scales[0].systems]
    if report.error_points:
        return [(row, row.score) for row in report.error_points.by_system.systems]
    return []


def _concluded_leader(part: ConcludedFigure) -> MeanLeader | None:
    """Return the best system by the model; None unless two systems have a score."""
    found = part.found
    rows = [row for row in found.systems if row.score.value is not None]
    if len(rows) < 2:
        return None
    level = tuple(row.system for row in rows if row.score.value == rows[0].score.value)
    wins = [len(rows) - (row.worst_rank or len(rows)) for row in rows]
    return MeanLeader(
        rows[0].system,
        level if len(level) > 1 else (),
        wins[0],
        len(rows) - 1,
        sum(wins),
        len(rows) * (len(rows) - 1) // 2,
        part.scale,
        by_model=True,
        only_units=found.only_units,
    )


def _met_and_beaten_by_grade(part: GradeDifferences, system: str) -> tuple[set[str], set[str]]:
    """Return the systems that this one was judged together with, and those it is better than."""
    met, beaten = set(), set()
    for pair, p in zip(part.pairs, decisive_p_of_grades(part), strict=True):
        difference = pair.difference.value
        if system not in (pair.system, pair.other) or difference is None:
            continue
        other = pair.other if system == pair.system else pair.system
        met.add(other)
        lead = difference if system == pair.system else -difference
        if p is not None and p < SIGNIFICANT and lead > 0:
            beaten.add(other)
    return met, beaten


def _met(found: Significance, system: str) -> set[str]:
    """Return the systems that this one was judged together with."""
    if system not in found.systems:
        return set()
    place = found.systems.index(system)
    columns = (found.wins[place], found.losses[place], found.ties[place])
    return {
        name
        for name, *counts in zip(found.systems, *columns, strict=True)
        if any(counts) and name != system
    }


def _beaten(found: Significance, system: str) -> set[str]:
    """Return the systems that this one is significantly better than."""
    if system not in found.systems:
        return set()
    place = found.systems.index(system)
    columns = (decisive_p(found)[place], found.win_rate[place])
    return {
        name
        for name, p, rate in zip(found.systems, *columns, strict=True)
        if p is not None and p < SIGNIFICANT and rate is not None and rate > 0.5
    }


def decisive_p_of_grades(part: GradeDifferences) -> list[float | None]:
    """Return p after Holm of each pair, for other annotators too where known."""
    return [pair.p_holm if part.only_sentences else pair.wide_p_holm for pair in part.pairs]


def significant_pairs(report: Report, method: str = "") -> tuple[int, int]:
    """Return the number of pairs of systems that differ significantly, and of pairs tested.

    By mean grades if that is the method, else by wins.
    """
    if method == MEAN_GRADE and report.answers:
        every = decisive_p_of_grades(report.answers.pairs)
    else:
        every = [p for x, row in enumerate(decisive_p(report.significance)) for p in row[:x]]
    tested = [p for p in every if p is not None]
    return sum(p < SIGNIFICANT for p in tested), len(tested)

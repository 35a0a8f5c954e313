"""The work of annotators, their agreement, and the ranking without each of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.findings.agreement import has_only_ties, reading
from evaluation.findings.evidence import Evidence
from evaluation.findings.judged import Judged
from evaluation.findings.ranking import SCORES
from evaluation.rendering.tables import (
    Column,
    Count,
    Duration,
    KappaOfSentences,
    Name,
    Number,
    Table,
    Words,
    grouped_reasons,
)
from evaluation.rendering.text import Quantity, Text, _
from evaluation.stats.agreement.intervals import AgreementEstimates, AnnotatorAgreement, Kappa
from evaluation.stats.annotators.effects import AnnotatorEffects, annotator_effects
from evaluation.stats.annotators.statistics import AnnotatorStatistics

KAPPAS: Final[Mapping[str, Text]] = {"intra": _("κ intra"), "inter": _("κ inter")}


@dataclass(frozen=True)
class AnnotatorWork:
    """The work of an annotator; `agreement.annotators` has their κ.

    `assignments` is None where files have only judgements. `controls` are in no other figure.
    """

    annotator: str
    sentences: int
    assignments: int | None
    judgements: int
    seconds: float | None
    seconds_per_segment: float | None
    controls: int
    controls_passed: int


def compute(evidence: Evidence) -> tuple[AnnotatorWork, ...]:
    """Return the annotators in the natural order of their names."""
    assignments = evidence.assignments
    return tuple(
        work_of(row, None if assignments is None else assignments.get(row.annotator, 0))
        for row in evidence.statistics.annotators
    )


def work_of(row: AnnotatorStatistics, assignments: int | None) -> AnnotatorWork:
    return AnnotatorWork(
        annotator=row.annotator,
        sentences=row.sentences,
        assignments=assignments,
        judgements=row.judgements,
        seconds=row.seconds,
        seconds_per_segment=row.seconds_per_segment,
        controls=row.controls.judged,
        controls_passed=row.controls.passed,
    )


def together(found: Sequence[AnnotatorWork], judged: Judged) -> AnnotatorWork:
    """Return the row of all annotators; its sentences are distinct ones, not the sum."""
    known = [row.assignments for row in found if row.assignments is not None]
    timed = [row.seconds for row in found if row.seconds is not None]
    return AnnotatorWork(
        annotator="",
        sentences=judged.sentences_judged,
        assignments=sum(known) if known else None,
        judgements=judged.judgements,
        seconds=sum(timed) if timed else None,
        seconds_per_segment=judged.seconds_per_segment,
        controls=sum(row.controls for row in found),
        controls_passed=sum(row.controls_passed for row in found),
    )


def compute_effects(evidence: Evidence) -> AnnotatorEffects:
    return annotator_effects(
        evidence.judgements,
        seed=evidence.options.seed,
        cells=evidence.cells,
        means=evidence.means,
    )


@dataclass(frozen=True)
class _Row:
    work: AnnotatorWork
    agreement: AnnotatorAgreement
    has_only_ties: bool = False

    @property
    def reading(self) -> Text | None:
        return None if self.has_only_ties else reading(self.agreement.inter.kappa.value)


def _kappa(kind: str) -> Callable[[_Row], tuple[float | int | None, ...]]:
    def cell(row: _Row) -> tuple[float | int | None, ...]:
        found: Kappa = getattr(row.agreement, kind)
        return found.kappa.value, found.kappa.low, found.kappa.high, found.sentences

    return cell


def _agreement_columns() -> list[Column]:
    return [
        *(
            Column(
                f"kappa_{kind} kappa_{kind}_low kappa_{kind}_high kappa_{kind}_sentences",
                heading,
                KappaOfSentences(),
                _kappa(kind),
                may_be_empty=True,
            )
            for kind, heading in KAPPAS.items()
        ),
        Column("reading", _("Interpretation"), Words(), lambda row: row.reading, may_be_empty=True),
    ]


def _control_columns() -> list[Column]:
    return [
        Column("controls", _("Controls"), Count(), lambda row: row.work.controls),
        Column(
            "controls_passed", _("Controls passed"), Count(), lambda row: row.work.controls_passed
        ),
    ]


def _without_kappa(rows: Sequence[_Row]) -> list[Text]:
    """Return why annotators have no κ: their names, unless all have the same reason."""
    given = []
    for kind, words in KAPPAS.items():
        reasons = [getattr(row.agreement, kind).kappa.undefined for row in rows]
        alike = len(set(reasons)) == 1
        given += [
            (words, "" if alike else row.work.annotator, why)
            for row, why in zip(rows, reasons, strict=True)
        ]
    return grouped_reasons(given)


def tables(
    found: Sequence[AnnotatorWork],
    together: AnnotatorWork,
    agreement: AgreementEstimates,
    biased: Sequence[Text],
    *,
    has_order: bool,
) -> list[Table]:
    """Return the table of annotators; `together` is the row of all.

    κ is of the order of systems: without it (`has_order`) there is none.
    """
    if not found:
        return []
    by_name = {row.annotator: row for row in agreement.annotators}
    rows = [_Row(row, by_name[row.annotator]) for row in found]
    total = _Row(
        together,
        AnnotatorAgreement("", agreement.intra, agreement.inter),
        has_only_ties(agreement, "inter"),
    )
    return [
        Table.of(
            "annotators",
            _("Annotators, their time and their agreement.")
            if has_order
            else _("Annotators and their time."),
            (
                Column(
                    "annotator",
                    _("Annotator"),
                    Words(),
                    lambda row: row.work.annotator or _("Together"),
                ),
                Column("sentences", _("Sentences"), Count(), lambda row: row.work.sentences),
                Column(
                    "assignments",
                    _("Assignments submitted"),
                    Count(),
                    lambda row: row.work.assignments,
                    may_be_empty=True,
                ),
                Column("judgements", _("Judgements"), Count(), lambda row: row.work.judgements),
                Column(
                    "seconds",
                    _("Time"),
                    Duration(),
                    lambda row: row.work.seconds,
                    unit="h:mm:ss",
                    may_be_empty=True,
                ),
                Column(
                    "seconds_per_segment",
                    _("Seconds for a judgement"),
                    Number(1),
                    lambda row: row.work.seconds_per_segment,
                    may_be_empty=True,
                ),
                *(_agreement_columns() if has_order else ()),
                *(_control_columns() if together.controls else ()),
            ),
            rows,
            notes=(
                _(
                    "Filters do not change the number of assignments. Times of 10 minutes or more "
                    "are left out."
                ),
                *(
                    [
                        _(
                            "The interpretation is that of κ inter; a dash means that there is "
                            "nothing to compare."
                        )
                    ]
                    if has_order and any(row.reading for row in (*rows, total))
                    else []
                ),
                *(_without_kappa(rows) if has_order else ()),
                *(
                    [_("Assignments: unknown, since files have only judgements.")]
                    if any(row.assignments is None for row in found)
                    else []
                ),
                *biased,
            ),
            details=[agreement.signature],
            total=total,
        )
    ]


def effect_tables(found: AnnotatorEffects) -> list[Table]:
    """Return the ranking without each annotator, and whether annotators differ about systems."""
    if not found.without:
        return []
    return [
        Table.of(
            "without-annotators",
            _("The ranking without each annotator."),
            (
                Column("annotator", _("Without"), Name()),
                Column("judgements", _("Judgements"), Count()),
                Column("best", _("Best system"), Name()),
                Column("system", _("Largest change"), Name()),
                Column("change", _("Difference")),
                Column("moved", _("Systems with another rank"), Count()),
            ),
            found.without,
            notes=(
                _("Score: %(score)s.", score=SCORES[found.method]),
                _(
                    "p that all annotators judge all systems alike: %(p)s.",
                    p=Text(found.undefined) if found.p is None else Quantity(found.p, 4),
                ),
                *(
                    _(
                        "%(system)s: p %(p)s.",
                        system=row.system,
                        p=Quantity(row.p, 4),
                    )
                    for row in found.systems
                    if row.p is not None
                ),
            ),
            details=[found.signature],
        )
    ]

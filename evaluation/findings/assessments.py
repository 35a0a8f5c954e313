"""Scores of single translations by direct assessment: systems, and how annotators use the scale."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.rendering.tables import (
    Column,
    Count,
    Kind,
    Name,
    Number,
    P,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Listed, Text, _
from evaluation.stats.assessment.annotators import AnnotatorCheck, AnnotatorChecks
from evaluation.stats.assessment.items import Assessments, ItemType
from evaluation.stats.assessment.standardisation import Scale
from evaluation.stats.assessment.systems import AssessedSystem, AssessedSystems
from evaluation.stats.estimates import signed

ASKED = {
    "outputs": ItemType.OUTPUT,
    "repeats": ItemType.REPEAT,
    "references": ItemType.REFERENCE,
    "degraded": ItemType.DEGRADED,
}


@dataclass(frozen=True)
class AssessmentsFound:
    """Scores from 0 to 100: systems best first, p that the row beats the column, annotators.

    `asked` counts scores of outputs, repeats, references and degraded outputs. `unscored` systems
    have only scores that do not vary. `scales` are of the annotators with a score of a system.
    """

    asked: dict[str, int]
    systems: tuple[AssessedSystem, ...]
    p: tuple[tuple[float | None, ...], ...]
    unscored: tuple[str, ...]
    annotators: tuple[AnnotatorCheck, ...]
    scales: tuple[Scale, ...]
    unidentified: int
    signature: str
    test_signature: str

    @property
    def passed(self) -> int:
        """The number of annotators who pass."""
        return sum(row.passed for row in self.annotators)

    @property
    def tested(self) -> bool:
        """Whether any annotator assessed a degraded output with its original."""
        return any(row.degraded.pairs for row in self.annotators)

    @property
    def dropped(self) -> list[str]:
        """The annotators whose scores are all equal, or who gave only one."""
        return [scale.annotator for scale in self.scales if not scale.is_usable]

    @property
    def assessors(self) -> list[tuple[AnnotatorCheck, Scale | None]]:
        """The annotators, each with their scale."""
        scales = {scale.annotator: scale for scale in self.scales}
        return [(row, scales.get(row.annotator)) for row in self.annotators]


def assessments_found(
    items: Assessments,
    checks: AnnotatorChecks,
    found: AssessedSystems,
    *,
    unidentified: int,
    provenance: Sequence[str],
) -> AssessmentsFound:
    """Return the finding; a score of several systems is once in `items`, in `found` for each."""
    return AssessmentsFound(
        asked={name: int(items.of(kind).sum()) for name, kind in ASKED.items()},
        systems=found.systems,
        p=found.p,
        unscored=found.unscored,
        annotators=checks.annotators,
        scales=found.standardised.scales,
        unidentified=unidentified,
        signature=signed(found.signature, provenance),
        test_signature=signed(checks.signature, provenance),
    )


def tables(found: AssessmentsFound | None) -> list[Table]:
    if found is None:
        return []
    return [systems_table(found), pairs_table(found), annotators_table(found)]


def systems_table(found: AssessmentsFound) -> Table:
    """Return the systems, best first; lines separate the clusters."""
    return Table.of(
        "assessed-systems",
        _("Systems by their mean standardised score"),
        (
            Column("system", _("System"), Name()),
            *estimate_columns("value", "z", lambda row: row.z, prefix="value_"),
            Column("raw", _("Mean score"), Number(1)),
            Column("segments", _("Sentences"), Count()),
            Column("assessments", _("Scores"), Count()),
            Column("wins", _("Better than"), Count()),
            Column("cluster", _("Cluster"), Count()),
            Column("published_cluster", _("Cluster (WMT)"), Count()),
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=(
            _(
                "z: a score minus the mean of all scores of its annotator, divided by their "
                "standard deviation; a sentence has the mean of its scores, and a system that of "
                "its sentences. Better than: by a one-sided rank-sum test of sentences, p < 0.05, "
                "for other sentences judged by these annotators. A cluster ends where all systems "
                "above are better than all below; that of WMT ends after a system that is better "
                "than as many systems as are below it."
            ),
            *missing_figures((row.system, row.z) for row in found.systems),
        ),
        details=[found.signature],
    )


def pairs_table(found: AssessmentsFound) -> Table:
    names = [row.system for row in found.systems]

    def p(place: int) -> Callable[[Any], float | None]:
        return lambda row: row[1][place]

    return Table.of(
        "assessed-pairs",
        _("p that the system of the row is better than that of the column, by direct assessment."),
        (
            Column("system", _("System"), Name(), lambda row: row[0]),
            *(Column(f"p_{name}", name, P(), p(place)) for place, name in enumerate(names)),
        ),
        zip(names, found.p, strict=True),
        notes=[_("One-sided rank-sum test of segments.")],
        details=[found.signature],
    )


def annotators_table(found: AssessmentsFound) -> Table:
    def of(check: Callable[[AnnotatorCheck], Any]) -> Callable[[Any], Any]:
        return lambda row: check(row[0])

    def use(name: str) -> Callable[[Any], float | None]:
        return lambda row: getattr(row[1], name) if row[1] else None

    def column(name: str, heading: Text, kind: Kind, check: Any, unit: Text | str = "") -> Column:
        return Column(name, heading, kind, of(check), unit=unit, may_be_empty=True)

    untested = dict.fromkeys(
        test.undefined
        for row in found.annotators
        for test in (row.degraded, row.repeats)
        if test.undefined
    )
    mean = _("mean")
    return Table.of(
        "assessing-annotators",
        _("How annotators use the scores, and what control items say"),
        (
            Column("annotator", _("Annotator"), Name(), of(lambda row: row.annotator)),
            Column("assessments", _("Scores"), Count(), of(lambda row: row.assessments)),
            Column("mean", _("Mean"), Number(1), use("mean")),
            Column("deviation", _("Standard deviation"), Number(1), use("deviation")),
            column("outputs", _("Outputs"), Number(1), lambda row: row.mean_of_outputs, mean),
            column(
                "references", _("References"), Number(1), lambda row: row.mean_of_references, mean
            ),
            column("degraded", _("Degraded"), Number(1), lambda row: row.mean_of_degraded, mean),
            column("pairs", _("Pairs"), Count(), lambda row: row.degraded.pairs),
            column("p", _("Degraded lower"), P(), lambda row: row.degraded.p, "p"),
            column(
                "passes",
                _("Passes"),
                Words(),
                lambda row: None if row.degraded.p is None else _("yes") if row.passed else _("no"),
            ),
            column("repeats", _("Repeats"), Count(), lambda row: row.repeats.pairs),
            column(
                "distance", _("Repeats apart"), Number(1), lambda row: row.repeats.distance, mean
            ),
            column("repeats_p", _("Repeats differ"), P(), lambda row: row.repeats.p, "p"),
            column("longest_run", _("Equal in a row"), Count(), lambda row: row.longest_run),
            column(
                "flags",
                _("Look closer"),
                Words(),
                lambda row: Listed([Text(flag.value) for flag in row.flags]) if row.flags else None,
            ),
        ),
        found.assessors,
        notes=(
            _(
                "Degraded lower: a paired, one-sided t test that degraded translations have lower "
                "scores than the same ones undamaged; p ≤ 0.05 passes. Repeats differ: the same "
                "test, two-sided, of the second score. Reasons to look closer exclude no annotator."
            ),
            *(_("Some tests are undefined: %(why)s.", why=Text(why)) for why in untested),
        ),
        details=[found.test_signature],
    )

"""Scores of single translations by direct assessment: systems, and how annotators use the scale.

The report has those of a project; `score_assessments` those of each language pair in files too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from evaluation.findings.pairs import p_table
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
from evaluation.stats.assessment.annotators import AnnotatorCheck, AnnotatorChecks, Flag
from evaluation.stats.assessment.items import Assessments, ItemType
from evaluation.stats.assessment.standardisation import Scale
from evaluation.stats.assessment.systems import AssessedSystem, AssessedSystems
from evaluation.stats.estimates import signed

ASKED: Final = {
    "outputs": ItemType.OUTPUT,
    "repeats": ItemType.REPEAT,
    "references": ItemType.REFERENCE,
    "degraded": ItemType.DEGRADED,
}
# Columns of annotators that only files and terminals have.
OF_FILES: Final = ("batches", "difference", "t", "fastest_batch")
INTERVALS: Final = (
    "95 % intervals for other sentences come from resampled sentences, those for other annotators "
    "too from Student's t over sentences and annotators; both take the annotators' scales as known."
)
FLAGS: Final = f"Look closer: {'; '.join(f'{flag.value} if {flag.meaning}' for flag in Flag)}."


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
    return [
        systems_table(found.systems, found.signature),
        pairs_table(found.systems, found.p, found.signature),
        annotators_table(found.annotators, found.test_signature, scales=found.scales).without(
            *OF_FILES
        ),
    ]


def tables_of_pair(found: AssessedSystems, provenance: Sequence[str]) -> list[Table]:
    """Return the systems of one language pair, and p of each two of them."""
    signature = signed(found.signature, provenance)
    dropped = [scale.annotator for scale in found.standardised.dropped]
    return [
        systems_table(
            found.systems,
            signature,
            name=f"systems-{found.pair}",
            caption=f"Systems by direct assessment, {found.pair}",
            notes=[
                INTERVALS,
                *(
                    [f"Left out, with only one score or equal ones: {', '.join(dropped)}."]
                    if dropped
                    else []
                ),
                *(
                    f"{system}: all its scores were left out, so it has no place."
                    for system in found.unscored
                ),
            ],
        ),
        pairs_table(
            found.systems,
            found.p,
            signature,
            name=f"pairs-{found.pair}",
            caption="p that the system of the row is better than that of the column, by direct "
            f"assessment, {found.pair}",
        ),
    ]


def checks_table(found: AnnotatorChecks) -> Table:
    """Return the annotators of all language pairs together."""
    unmatched = sum(row.unmatched for row in found.annotators)
    table = annotators_table(
        found.annotators,
        found.signature,
        name="annotators",
        caption="Annotators: control items, times and runs of equal scores",
        notes=[
            FLAGS,
            *([f"{unmatched} control items have no original in their batch."] if unmatched else []),
        ],
    )
    # Scales are those of a language pair.
    return table.without("mean", "deviation")


def systems_table(
    systems: Sequence[AssessedSystem],
    signature: str,
    *,
    name: str = "assessed-systems",
    caption: Text | str = "",
    notes: Sequence[str] = (),
) -> Table:
    """Return the systems, best first; lines separate the clusters."""
    return Table.of(
        name,
        caption or _("Systems by their mean standardised score"),
        (
            Column("system", _("System"), Name()),
            *estimate_columns("z", "z", lambda row: row.z),
            Column("raw", _("Mean score"), Number(1), may_be_empty=True),
            Column("segments", _("Sentences"), Count()),
            Column("assessments", _("Scores"), Count()),
            Column("wins", _("Better than"), Count()),
            Column("cluster", _("Cluster"), Count()),
            Column("published_cluster", _("Cluster (WMT)"), Count()),
        ),
        systems,
        groups=lambda row: row.cluster,
        notes=(
            _(
                "z: a score minus the mean of all scores of its annotator, divided by their "
                "standard deviation; a sentence has the mean of its scores, and a system that of "
                "its sentences. Better than: by a one-sided rank-sum test of sentences, or of the "
                "documents or blocks that are sampled, p < 0.05, judged by these annotators. A "
                "cluster ends where all systems above are better than all below; that of WMT ends "
                "after a system that is better than as many systems as are below it."
            ),
            *missing_figures((row.system, row.z) for row in systems),
            *notes,
        ),
        details=[signature],
    )


def pairs_table(
    systems: Sequence[AssessedSystem],
    p: Sequence[Sequence[float | None]],
    signature: str,
    *,
    name: str = "assessed-pairs",
    caption: Text | str = "",
) -> Table:
    return p_table(
        name,
        caption
        or _(
            "p that the system of the row is better than that of the column, by direct assessment."
        ),
        [row.system for row in systems],
        p,
        notes=[
            _(
                "One-sided rank-sum test of segments, or of the documents or blocks that are "
                "sampled."
            )
        ],
        details=[signature],
    )


def annotators_table(
    annotators: Sequence[AnnotatorCheck],
    signature: str,
    *,
    name: str = "assessing-annotators",
    caption: Text | str = "",
    scales: Sequence[Scale] = (),
    notes: Sequence[str] = (),
) -> Table:
    """Return each annotator's scale, and what control items, times and runs say of them."""
    scale_of = {scale.annotator: scale for scale in scales}

    def use(name: str) -> Callable[[AnnotatorCheck], float | None]:
        return lambda row: getattr(scale_of.get(row.annotator), name, None)

    def column(
        name: str, heading: Text | str, kind: Kind, of: Any, unit: Text | str = ""
    ) -> Column:
        return Column(name, heading, kind, of, unit=unit, may_be_empty=True)

    untested = dict.fromkeys(
        test.undefined
        for row in annotators
        for test in (row.degraded, row.repeats)
        if test.undefined
    )
    mean = _("mean")
    return Table.of(
        name,
        caption or _("How annotators use the scores, and what control items say"),
        (
            Column("annotator", _("Annotator"), Name()),
            Column("assessments", _("Scores"), Count()),
            Column("batches", "Batches", Count()),
            Column("mean", _("Mean"), Number(1), use("mean")),
            Column("deviation", _("Standard deviation"), Number(1), use("deviation")),
            column("outputs", _("Outputs"), Number(1), lambda row: row.mean_of_outputs, mean),
            column(
                "references", _("References"), Number(1), lambda row: row.mean_of_references, mean
            ),
            column("degraded", _("Degraded"), Number(1), lambda row: row.mean_of_degraded, mean),
            column("pairs", _("Pairs"), Count(), lambda row: row.degraded.pairs),
            column("difference", "Change", Number(1), lambda row: row.degraded.difference, "mean"),
            column("t", "t", Number(2), lambda row: row.degraded.t),
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
            column(
                "fastest_batch",
                "Fastest batch",
                Number(0),
                lambda row: row.fastest_batch,
                "seconds",
            ),
            column("longest_run", _("Equal in a row"), Count(), lambda row: row.longest_run),
            column(
                "flags",
                _("Look closer"),
                Words(),
                lambda row: Listed([Text(flag.value) for flag in row.flags]) if row.flags else None,
            ),
        ),
        annotators,
        notes=(
            _(
                "Degraded lower: a paired, one-sided t test that degraded translations have lower "
                "scores than the same ones undamaged; p ≤ 0.05 passes. Repeats differ: the same "
                "test, two-sided, of the second score. Reasons to look closer exclude no annotator."
            ),
            *(_("Some tests are undefined: %(why)s.", why=Text(why)) for why in untested),
            *notes,
        ),
        details=[signature],
    )


def scales_table(scales: Sequence[Scale], pair: str) -> Table:
    """Return mean and standard deviation of each annotator in a language pair."""
    return Table.of(
        f"scales-{pair}",
        f"How annotators use the scale, {pair}: mean and standard deviation of all their scores",
        (
            Column("annotator", _("Annotator"), Name()),
            Column("assessments", _("Scores"), Count()),
            Column("mean", _("Mean"), Number(2)),
            Column("deviation", _("Standard deviation"), Number(2)),
        ),
        scales,
    )


def segments_table(found: AssessedSystems, items: Assessments) -> Table:
    """Return the segments of systems as WMT writes them: `evaluate_metrics` reads the CSV file.

    Raw scores are "None" if they are unknown.
    """
    scored = found.segment_scores
    raw = (
        Column("RAW.SCR", "raw", Name(), lambda _row: "None")
        if items.standardised
        else Column("RAW.SCR", "raw", value=itemgetter(2))
    )
    return Table.of(
        f"segment-scores-{found.pair}",
        f"Scores of segments by direct assessment, {found.pair}",
        (
            Column("SYS", "system", Name(), lambda row: items.system_names[row[0]]),
            Column("SID", "segment", Name(), lambda row: items.segment_names[row[1]]),
            raw,
            Column("Z.SCR", "z", value=itemgetter(3)),
            Column("N", "N", Count(), itemgetter(4)),
        ),
        zip(
            scored.systems.tolist(),
            scored.segments.tolist(),
            scored.raw.tolist(),
            scored.z.tolist(),
            scored.counts.tolist(),
            strict=True,
        ),
    )

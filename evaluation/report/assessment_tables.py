"""The tables of direct assessments: annotators, systems, p of pairs, segments, scales."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Final

from evaluation.rendering.tables import Table
from evaluation.report.assessment_notes import (
    CLUSTERED,
    FLAGGED,
    RANK_SUM,
    SCORED,
    TESTED,
    intervals_note,
)
from evaluation.report.columns import column_of
from evaluation.report.readings import reasons
from evaluation.stats.assessment.annotators import AnnotatorCheck, AnnotatorChecks
from evaluation.stats.assessment.items import Assessments
from evaluation.stats.assessment.standardisation import Scale
from evaluation.stats.assessment.systems import AssessedSystems

# Figures of annotators that only files have.
OF_FILES: Final = ("batches", "degraded_pairs", "difference", "t")


def annotator_table(checks: AnnotatorChecks) -> Table:
    """Return what control items, times and runs say of each annotator."""
    return Table(
        "annotators",
        "Annotators: control items, times and runs of equal scores.",
        (
            column_of("annotator", "annotator", is_text=True),
            column_of("passes", "passes", is_text=True),
            column_of("assessments", "scores"),
            column_of("batches", "batches"),
            column_of("outputs", "outputs", places=1),
            column_of("references", "refs", places=1),
            column_of("degraded", "degraded", places=1),
            column_of("degraded_pairs", "pairs"),
            column_of("difference", "change", places=1),
            column_of("t", "t", places=2),
            column_of("p", "p", places=4, is_p=True),
            column_of("repeats", "repeats"),
            column_of("distance", "apart", places=1),
            column_of("repeats_p", "p", places=4, is_p=True),
            column_of("seconds", "seconds", places=0),
            column_of("run", "run"),
            column_of("flags", "flags", is_text=True),
        ),
        tuple(
            (
                row.annotator,
                _passes(row),
                row.assessments,
                row.batches,
                row.mean_of_outputs,
                row.mean_of_references,
                row.mean_of_degraded,
                row.degraded.pairs,
                row.degraded.difference,
                row.degraded.t,
                row.degraded.p,
                row.repeats.pairs,
                row.repeats.distance,
                row.repeats.p,
                row.fastest_batch,
                row.longest_run,
                ", ".join(flag.value for flag in row.flags),
            )
            for row in checks.annotators
        ),
        (TESTED, FLAGGED, *_unmatched(checks.annotators), str(checks.signature)),
    )


def narrow(table: Table) -> Table:
    """Return the table of annotators without some figures, so that it fits a terminal."""
    kept = [place for place, column in enumerate(table.columns) if column.name not in OF_FILES]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def _passes(row: AnnotatorCheck) -> str | None:
    if row.degraded.p is None:
        return None
    return "yes" if row.passed else "no"


def _unmatched(rows: Sequence[AnnotatorCheck]) -> list[str]:
    count = sum(row.unmatched for row in rows)
    return [f"{count} control items have no original in their batch."] if count else []


def scale_table(scales: Sequence[Scale], pair: str) -> Table:
    """Return mean and standard deviation of each annotator in a language pair."""
    return Table(
        f"scales-{pair}",
        f"How annotators use the scale, {pair}: mean and standard deviation of all their scores.",
        (
            column_of("annotator", "annotator", is_text=True),
            column_of("assessments", "scores"),
            column_of("mean", "mean", places=2),
            column_of("deviation", "deviation", places=2),
        ),
        tuple((row.annotator, row.assessments, row.mean, row.deviation) for row in scales),
    )


def system_table(found: AssessedSystems, provenance: Sequence[str]) -> Table:
    """Return the systems, best first; lines separate the clusters of the textbook rule."""
    columns = (
        column_of("place", "place"),
        column_of("system", "system", is_text=True),
        column_of("z", "z"),
        column_of("low", "from"),
        column_of("high", "to"),
        column_of("wide_low", "wide from"),
        column_of("wide_high", "wide to"),
        column_of("raw", "raw", places=1),
        column_of("segments", "N"),
        column_of("assessments", "N.ALL"),
        column_of("wins", "wins"),
        column_of("cluster", "cluster"),
        column_of("published_cluster", "published"),
    )
    ends = [
        place
        for place, (one, next_) in enumerate(
            zip(found.systems, found.systems[1:], strict=False), start=1
        )
        if one.cluster != next_.cluster
    ]
    dropped = [scale.annotator for scale in found.standardised.dropped]
    return Table(
        f"systems-{found.pair}",
        f"Systems by direct assessment, {found.pair}.",
        columns,
        tuple(
            (
                place,
                row.system,
                row.z.value,
                row.z.low,
                row.z.high,
                row.z.wide_low,
                row.z.wide_high,
                row.raw,
                row.segments,
                row.assessments,
                row.wins,
                row.cluster,
                row.published_cluster,
            )
            for place, row in enumerate(found.systems, start=1)
        ),
        (
            SCORED,
            intervals_note(),
            CLUSTERED,
            *reasons([asdict(row.z) for row in found.systems]),
            *([f"Left out, with only one score or equal ones: {_names(dropped)}."] * bool(dropped)),
            *(
                f"{system}: all its scores were left out, so it has no place."
                for system in found.unscored
            ),
            "|".join((str(found.signature), *provenance)),
        ),
        frozenset(ends),
    )


def pair_table(found: AssessedSystems) -> Table:
    """Return p that the system of the row is better than that of the column."""
    names = [row.system for row in found.systems]
    return Table(
        f"pairs-{found.pair}",
        f"p that the system of the row is better than that of the column, {found.pair}.",
        (
            column_of("place", "place"),
            column_of("system", "system", is_text=True),
            *(
                column_of(f"p_{name}", str(place), places=4, is_p=True)
                for place, name in enumerate(names, start=1)
            ),
        ),
        tuple(
            (place, name, *row)
            for place, (name, row) in enumerate(zip(names, found.p, strict=True), start=1)
        ),
        (f"{RANK_SUM} Columns are places of systems.",),
    )


def segment_table(found: AssessedSystems, assessments: Assessments) -> Table:
    """Return the segments of systems as WMT writes them: `evaluate_metrics` reads the CSV file.

    Raw scores are "None" if they are unknown.
    """
    scored = found.segment_scores
    return Table(
        f"segment-scores-{found.pair}",
        f"Scores of segments by direct assessment, {found.pair}.",
        (
            column_of("SYS", "system", is_text=True),
            column_of("SID", "segment", is_text=True),
            column_of("RAW.SCR", "raw", is_text=assessments.standardised),
            column_of("Z.SCR", "z"),
            column_of("N", "N"),
        ),
        tuple(
            (
                assessments.system_names[system],
                assessments.segment_names[segment],
                "None" if assessments.standardised else raw,
                z,
                count,
            )
            for system, segment, raw, z, count in zip(
                scored.systems.tolist(),
                scored.segments.tolist(),
                scored.raw.tolist(),
                scored.z.tolist(),
                scored.counts.tolist(),
                strict=True,
            )
        ),
    )


def _names(names: Sequence[str]) -> str:
    return ", ".join(names)

"""The part of a report about scores of single translations, as plain JSON."""

from collections.abc import Sequence

from evaluation.report.assessment_notes import FLAG_NAMES
from evaluation.report.plain import estimate_row, rounded, signed, significant
from evaluation.report.shape import (
    AssessedSystemRow,
    AssessmentsPart,
    AssessorRow,
    PairedTestRow,
)
from evaluation.stats.assessment.annotators import AnnotatorCheck, AnnotatorChecks, PairedTest
from evaluation.stats.assessment.items import Assessments, ItemType
from evaluation.stats.assessment.standardisation import Scale
from evaluation.stats.assessment.systems import AssessedSystem, AssessedSystems

ASKED = {
    "outputs": ItemType.OUTPUT,
    "repeats": ItemType.REPEAT,
    "references": ItemType.REFERENCE,
    "degraded": ItemType.DEGRADED,
}


def assessments_part(
    items: Assessments,
    checks: AnnotatorChecks,
    found: AssessedSystems,
    *,
    unidentified: int,
    rules: Sequence[str],
) -> AssessmentsPart:
    """Return the part; `items` has each score once, `found` each for all systems it is of."""
    scales = {scale.annotator: scale for scale in found.standardised.scales}
    return {
        "asked": {name: int(items.of(kind).sum()) for name, kind in ASKED.items()},
        "systems": [_system(row) for row in found.systems],
        "p": [[significant(p) for p in row] for row in found.p],
        "unscored": list(found.unscored),
        "dropped": [scale.annotator for scale in found.standardised.dropped],
        "annotators": [_annotator(row, scales.get(row.annotator)) for row in checks.annotators],
        "passed": sum(row.passed for row in checks.annotators),
        "tested": checks.has_degraded,
        "unidentified": unidentified,
        "signature": signed(found.signature, rules),
        "test_signature": signed(checks.signature, rules),
    }


def _system(row: AssessedSystem) -> AssessedSystemRow:
    return {
        **estimate_row(row.z),
        "system": row.system,
        "raw": rounded(row.raw),
        "segments": row.segments,
        "assessments": row.assessments,
        "wins": row.wins,
        "cluster": row.cluster,
        "published_cluster": row.published_cluster,
    }


def _annotator(row: AnnotatorCheck, scale: Scale | None) -> AssessorRow:
    return {
        "annotator": row.annotator,
        "assessments": row.assessments,
        "mean": rounded(scale.mean) if scale else None,
        "deviation": rounded(scale.deviation) if scale else None,
        "outputs": rounded(row.mean_of_outputs),
        "references": rounded(row.mean_of_references),
        "degraded": rounded(row.mean_of_degraded),
        "low": _test(row.degraded),
        "repeats": _test(row.repeats),
        "passed": row.passed,
        "longest_run": row.longest_run,
        "flags": [FLAG_NAMES[flag] for flag in row.flags],
    }


def _test(test: PairedTest) -> PairedTestRow:
    return {
        "pairs": test.pairs,
        "difference": rounded(test.difference),
        "distance": rounded(test.distance),
        "p": significant(test.p),
        "undefined": test.undefined,
    }

"""The part of a report about scores and marked errors."""

from collections.abc import Sequence
from typing import Any

from evaluation.report.plain import estimate_row, signed
from evaluation.report.shape import (
    MarkedErrorsPart,
    MarkedSystemRow,
    MarkPairsRow,
    ScorePairsRow,
)
from evaluation.stats.agreement.marked_errors import MarkAgreement, MarkPairs
from evaluation.stats.agreement.scores import ScoreAgreement, ScorePairs
from evaluation.stats.ranking.marked_systems import MarkedSystem, MarkedSystems

DECIMALS = 6


def marked_errors_part(
    systems: MarkedSystems, scores: ScoreAgreement, marks: MarkAgreement, rules: Sequence[str]
) -> MarkedErrorsPart:
    return {
        "systems": [_system(row) for row in systems.systems],
        "significant_below": systems.alpha,
        "signature": signed(systems.signature, rules),
        "alpha": {**estimate_row(scores.alpha), "units": scores.values},
        "scores_intra": _scores(scores.intra),
        "scores_inter": _scores(scores.inter),
        "scores_signature": signed(scores.signature, rules),
        "marks_intra": _marks(marks.intra),
        "marks_inter": _marks(marks.inter),
        "marks_signature": signed(marks.signature, rules),
    }


def _system(row: MarkedSystem) -> MarkedSystemRow:
    return {
        **estimate_row(row.score),
        "system": row.system,
        "segments": row.segments,
        "judgements": row.judgements,
        "minor": round(row.minor, DECIMALS),
        "major": round(row.major, DECIMALS),
        "omissions": round(row.omissions, DECIMALS),
        "best_rank": row.best_rank,
        "worst_rank": row.worst_rank,
        "cluster": row.cluster,
    }


def _scores(row: ScorePairs) -> ScorePairsRow:
    return {
        "pairs": row.pairs,
        "correlation": estimate_row(row.correlation),
        "difference": estimate_row(row.difference),
    }


def _marks(row: MarkPairs) -> MarkPairsRow:
    return {
        "pairs": row.pairs,
        "f1": estimate_row(row.f1),
        "severity_f1": estimate_row(row.severity_f1),
        "omissions": list(row.omissions),
    }


def measures(part: MarkedErrorsPart) -> list[dict[str, Any]]:
    """Return the measures of agreement by name, in the order of tables."""
    rows: list[tuple[str, Any, int]] = []
    for kind, scores, marks in (
        ("intra", part["scores_intra"], part["marks_intra"]),
        ("inter", part["scores_inter"], part["marks_inter"]),
    ):
        rows += [
            (f"marked characters {kind}", marks["f1"], marks["pairs"]),
            (f"marked characters with severity {kind}", marks["severity_f1"], marks["pairs"]),
            (f"r of scores {kind}", scores["correlation"], scores["pairs"]),
            (f"difference of scores {kind}", scores["difference"], scores["pairs"]),
        ]
    rows.append(("α of scores", part["alpha"], part["alpha"]["units"]))
    return [{"measure": name, **figure, "units": units} for name, figure, units in rows]

"""Predictions of systems that people did not rank, as plain JSON and as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evaluation.findings.serialisation import rounded
from evaluation.rendering.formats import decimal, text_table
from evaluation.reuse.prediction import LeftOut, Prediction
from evaluation.reuse.system_effect import CarriedOver
from evaluation.stats.estimates import signed


@dataclass(frozen=True)
class PredictionsReport:
    """Predicted systems; of `left_out` ones also what people said of them, in the same order.

    `carried` are the predictions corrected by the effect of a system that was judged in the project
    `effect_from`, in the same order.
    """

    predictions: Sequence[Prediction]
    left_out: Sequence[LeftOut] = ()
    provenance: Sequence[str] = ()
    carried: Sequence[CarriedOver] = ()
    effect_from: str = ""

    @property
    def mean_error(self) -> float | None:
        """The mean distance from the real ratios of wins; None if no system is left out."""
        errors = [
            abs(each.prediction.score.value - each.score)
            for each in self.left_out
            if each.prediction.score.value is not None
        ]
        return fmean(errors) if errors else None


def predictions_json(report: PredictionsReport) -> dict[str, Any]:
    """Return the predictions with 6 decimals; undefined is None."""
    real = {each.prediction.system: each for each in report.left_out}
    systems = []
    for each in report.predictions:
        row: dict[str, Any] = {
            "system": each.system,
            "score": rounded(each.score.value),
            "low": rounded(each.score.low),
            "high": rounded(each.score.high),
            "undefined": each.score.undefined or None,
            "rank": each.rank,
            "best_rank": each.best_rank,
            "worst_rank": each.worst_rank,
            "hit_rate": rounded(each.hit_rate),
            "predicted_segments": len(each.misses),
            "needed_for_0.01": each.needed(0.01),
            "signature": signed(each.signature, report.provenance),
        }
        if each.system in real:
            row |= {"real": rounded(real[each.system].score), "place": real[each.system].place}
        systems.append(row)
    for row, corrected in zip(systems, report.carried, strict=False):
        row["with_effect"] = {
            "project": report.effect_from,
            "system": corrected.judged_system,
            "score": rounded(corrected.score.value),
            "low": rounded(corrected.score.low),
            "high": rounded(corrected.score.high),
            "rank": corrected.rank,
            "best_rank": corrected.best_rank,
            "worst_rank": corrected.worst_rank,
            "weight": rounded(corrected.weight),
            "signature": signed(corrected.signature, report.provenance),
        }
    return {"systems": systems, "mean_error": rounded(report.mean_error)}


def predictions_text(report: PredictionsReport) -> str:
    """Return a table for a terminal, best prediction first."""
    real = {each.prediction.system: each for each in report.left_out}
    header = ["system", "ratio of wins", "from", "to", "rank", "hit rate", "judge for ± .01"]
    rows = []
    for each in sorted(report.predictions, key=lambda each: -(each.score.value or 0)):
        ranks = "" if each.best_rank is None else f"{each.best_rank}–{each.worst_rank}"
        needed = each.needed(0.01)
        rows.append(
            [
                each.system,
                *(decimal(end, 4) for end in (each.score.value, each.score.low, each.score.high)),
                ranks,
                decimal(each.hit_rate, 2),
                "" if needed is None else str(needed),
                *([decimal(real[each.system].score, 4)] if real else []),
            ]
        )
    notes = [
        "Predicted from the texts and from the ranks of the other systems; 95 % intervals by how "
        "far predictions of the judged systems are off."
    ]
    if report.mean_error is not None:
        notes.append(f"Mean distance from the real ratios: {decimal(report.mean_error, 4)}.")
    notes += [
        f"{each.system}: {each.score.undefined}."
        for each in report.predictions
        if each.score.undefined
    ]
    signatures = [signed(each.signature, report.provenance) for each in report.predictions]
    if real:
        # They differ in counts only, which JSON has.
        signatures = [f"leave one out|{signatures[0]}"]
    parts = []
    if report.carried:
        source = f"{report.carried[0].judged_system} in {report.effect_from}"
        rows_of_carried = [
            [
                each.system,
                *(decimal(end, 4) for end in (each.score.value, each.score.low, each.score.high)),
                f"{each.best_rank}–{each.worst_rank}",
                decimal(each.weight, 2),
            ]
            for each in report.carried
        ]
        columns = ["system", "ratio of wins", "from", "to", "rank", "weight"]
        parts = [
            f"Corrected by how far {source} is off its prediction:",
            text_table(columns, rows_of_carried),
            signed(report.carried[0].signature, report.provenance),
        ]
    table = text_table([*header, *(["real"] if real else [])], rows)
    return "\n\n".join([table, "\n".join(notes), "\n".join(signatures), *parts])

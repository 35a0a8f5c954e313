"""Predictions of systems that people did not rank, from texts and the ranks of other systems."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from evaluation.rendering.formats import decimal
from evaluation.rendering.tables import Column, Count, Interval, Name, Number, Ranks, Table
from evaluation.reuse.prediction import LeftOut, Prediction
from evaluation.reuse.system_effect import CarriedOver
from evaluation.stats.estimates import Estimate, signed

# Half the width of the interval for which it says how many segments must be judged.
HALF_WIDTH: Final = 0.01


@dataclass(frozen=True)
class PredictedSystem:
    """The figures of a `Prediction`, and what people said of the system if it was left out.

    `needed` of the `predicted_segments` must be judged so that the interval is ± HALF_WIDTH; None
    if no number suffices. `real_score` is the ratio of wins by people and `real_place` the place by
    it, None if they are unknown. `with_effect` is the prediction corrected by the effect of another
    system.
    """

    system: str
    score: Estimate
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    hit_rate: float | None
    predicted_segments: int
    needed: int | None
    real_score: float | None
    real_place: int | None
    with_effect: CarriedOver | None
    signature: str


@dataclass(frozen=True)
class PredictionsReport:
    """Predicted systems; those of the project, one after another, if `left_out`.

    `effect_from` is the project of the system whose effect corrects them, "" without.
    `mean_error` is the mean distance from the real ratios of wins, None if no system is left out.
    """

    left_out: bool
    systems: tuple[PredictedSystem, ...]
    effect_from: str
    mean_error: float | None


def of_new_systems(
    predictions: Sequence[Prediction],
    provenance: Sequence[str],
    *,
    carried: Sequence[CarriedOver] = (),
    effect_from: str = "",
) -> PredictionsReport:
    """Return the report; `carried` are the corrected predictions, in the same order, if any.

    `provenance` ends the signatures.
    """
    systems = [_system(each, provenance) for each in predictions]
    if carried:
        systems = [
            replace(system, with_effect=replace(each, signature=signed(each.signature, provenance)))
            for system, each in zip(systems, carried, strict=True)
        ]
    return PredictionsReport(False, tuple(systems), effect_from, None)


def of_left_out(left_out: Sequence[LeftOut], provenance: Sequence[str]) -> PredictionsReport:
    """Return the report of the project's own systems."""
    errors = [
        abs(each.prediction.score.value - each.score)
        for each in left_out
        if each.prediction.score.value is not None
    ]
    return PredictionsReport(
        left_out=True,
        systems=tuple(
            replace(
                _system(each.prediction, provenance),
                real_score=each.score,
                real_place=each.place,
            )
            for each in left_out
        ),
        effect_from="",
        mean_error=fmean(errors) if errors else None,
    )


def _system(found: Prediction, provenance: Sequence[str]) -> PredictedSystem:
    return PredictedSystem(
        system=found.system,
        score=found.score,
        rank=found.rank,
        best_rank=found.best_rank,
        worst_rank=found.worst_rank,
        hit_rate=found.hit_rate,
        predicted_segments=len(found.misses),
        needed=found.needed(HALF_WIDTH),
        real_score=None,
        real_place=None,
        with_effect=None,
        signature=signed(found.signature, provenance),
    )


_SCORE: Final = (
    Column("system", "system", Name()),
    Column("score", "ratio of wins", Number(4), lambda row: row.score.value),
    Column("low high", "95 % interval", Interval(4), lambda row: (row.score.low, row.score.high)),
    Column("best_rank worst_rank", "rank", Ranks()),
)


def tables(found: PredictionsReport) -> list[Table]:
    """Return the predictions, the best first, and the corrected ones."""
    signatures = [row.signature for row in found.systems]
    if found.left_out:
        # They differ in counts only, which JSON has.
        signatures = [f"leave one out|{signature}" for signature in signatures[:1]]
    notes = [
        "Predicted from the texts and from the ranks of the other systems; 95 % intervals by how "
        "far predictions of the judged systems are off."
    ]
    if found.mean_error is not None:
        notes.append(f"Mean distance from the real ratios: {decimal(found.mean_error, 4)}.")
    predicted = Table.of(
        "predictions",
        "Predicted ratios of wins",
        (
            *_SCORE,
            Column("hit_rate", "hit rate", Number(2)),
            Column("needed", f"judge for ± {HALF_WIDTH}", Count()),
            *([Column("real_score", "real", Number(4))] if found.left_out else []),
        ),
        sorted(found.systems, key=lambda row: -(row.score.value or 0)),
        notes=[
            *notes,
            *(
                f"{row.system}: {row.score.undefined}."
                for row in found.systems
                if row.score.undefined
            ),
        ],
        details=signatures,
    )
    carried = [row.with_effect for row in found.systems if row.with_effect]
    if not carried:
        return [predicted]
    corrected = Table.of(
        "corrected-predictions",
        f"Corrected by how far {carried[0].judged_system} in {found.effect_from} is off its "
        "prediction",
        (*_SCORE, Column("weight", "weight", Number(2))),
        carried,
        details=[carried[0].signature],
    )
    return [predicted, corrected]

"""What a model of annotators, repeats and the order of items say of direct assessments.

Items are outputs of a segment, with their repeats; references and degraded outputs are items of
their own, because the model and the standardised scores need all that an annotator scored.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.scores import ScoreAgreement, measure_scores
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.score_model import ScoreModel, fit_scores, scales
from evaluation.stats.annotators.score_sequence import ScoreSequence, score_sequence
from evaluation.stats.assessment.items import OF_SYSTEMS, Assessments, ItemType
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.resampling import Floats, shares, sums_by

UNKNOWN_ORDER: Final = "it is not known in which order the items were shown"
NO_SHARED: Final = "no item has two scores, so precision cannot be told from quality"
NO_GOLD: Final = "no two annotators scored the same item in a known order"


@dataclass(frozen=True)
class ModelledSystem:
    """The mean model quality of a system's segments, and their number."""

    system: str
    quality: float
    segments: int


@dataclass(frozen=True, eq=False)
class AssessmentModel:
    """The model of one language pair; systems are best first.

    `scores` counts those of each annotator, `shared` those of items with another score: without
    any, `model` is None, `no_model` says why, and there are no systems. `agreement` is of
    standardised scores. `sequence` is None if the order is unknown; `sequence_given_others`, whose
    gold is the mean of the other annotators' scores of the item, also if no item has one.
    `no_sequence` and `no_gold` say why. `systems_of_kept` are those of the model of the `kept`
    annotators alone, the most precise ones; both are empty if all are kept. `given_systems` says
    that `sequence` holds the systems' means fixed.
    """

    pair: str
    annotators: tuple[str, ...]
    scores: tuple[int, ...]
    shared: tuple[int, ...]
    model: ScoreModel | None
    no_model: str
    systems: tuple[ModelledSystem, ...]
    agreement: ScoreAgreement
    sequence: ScoreSequence | None
    no_sequence: str
    sequence_given_others: ScoreSequence | None
    no_gold: str
    kept: tuple[str, ...] = ()
    systems_of_kept: tuple[ModelledSystem, ...] = ()
    given_systems: bool = False


@dataclass(frozen=True, eq=False)
class ScoredItems:
    """J scores of items, and `z` standardised, NaN for annotators whose scores do not vary.

    `outputs` (J) tells which items are of systems, whose agreement is measured. `produced` are N
    codes of systems and of the items that they produced. `order` (J) is NaN where it is unknown,
    and `sequences` (J) are codes of what an annotator judged in one go. Where several systems'
    translations are on one screen, `gold` (J), standardised, is to be held fixed in the effect of
    the order: see `means_of_systems`.
    """

    name: str
    annotators: tuple[str, ...]
    system_names: tuple[str, ...]
    judged: ItemJudgements
    scores: Floats
    z: Floats
    outputs: NDArray[np.bool_]
    produced: tuple[Codes, Codes]
    order: Floats
    sequences: Codes
    gold: Floats | None = None


def model_assessments(
    assessments: Assessments, *, resamples: int = 1000, seed: int = 0, keep: int | None = None
) -> AssessmentModel:
    """Fit the model, and measure agreement and effects of the order, of one language pair.

    `keep` is that of `model_scores`. Raises ValueError for assessments of several language pairs.
    """
    pairs = [assessments.language_pairs[code] for code in np.unique(assessments.pairs)]
    if len(pairs) != 1:
        raise ValueError("Give the assessments of one language pair.")
    judged = _items(assessments)
    outputs = assessments.of(*OF_SYSTEMS)
    rows = np.flatnonzero(outputs)
    _, first = np.unique(judged.items[rows], return_index=True)
    rows = rows[first]
    return model_scores(
        ScoredItems(
            name=pairs[0],
            annotators=assessments.annotator_names,
            system_names=assessments.system_names,
            judged=judged,
            scores=assessments.scores,
            z=standardise(assessments).scores,
            outputs=outputs,
            produced=(assessments.systems[rows], judged.items[rows]),
            # Only files with the time of each item have them in the order shown.
            order=np.where(np.isnan(assessments.seconds), np.nan, assessments.order),
            sequences=assessments.batches,
        ),
        resamples=resamples,
        seed=seed,
        keep=keep,
    )


def model_scores(
    scored: ScoredItems, *, resamples: int = 1000, seed: int = 0, keep: int | None = None
) -> AssessmentModel:
    """Fit the model, and measure agreement and effects of the order.

    With `keep`, the model is fitted again to the scores of so many annotators, the most precise.
    """
    judged, z = scored.judged, scored.z
    again = np.bincount(judged.items)[judged.items] > 1
    model = fit_scores(judged, z) if again.any() else None
    kept: tuple[int, ...] = ()
    of_kept = None
    if model and keep is not None and keep < len(model.most_precise(len(scored.annotators))):
        kept = model.most_precise(keep)
        of_kept = fit_scores(judged, z, keep=kept)
    outputs, timed = scored.outputs, ~np.isnan(scored.order)
    agreement = measure_scores(judged.select(outputs), z[outputs], resamples=resamples, seed=seed)
    sequence = given_others = None
    no_sequence = no_gold = "" if timed.any() else UNKNOWN_ORDER
    if timed.any():
        shown, order, sequences = judged.select(timed), scored.order, scored.sequences[timed]
        # Not centred by annotator (see `score_sequence`), but the gold is, so it takes their unit.
        scores = np.where(np.isnan(z), np.nan, scored.scores)[timed]
        _, units = scales(judged.annotators, scored.scores)
        gold = None if scored.gold is None else (scored.gold * units)[timed]
        sequence = score_sequence(shown, scores, order[timed], gold=gold, sequences=sequences)
        others = (means_of_others(judged, z) * units)[timed]
        if np.isnan(others).all():
            no_gold = NO_GOLD
        else:
            given_others = score_sequence(
                shown, scores, order[timed], gold=others, sequences=sequences
            )
    known = judged.annotators != UNIDENTIFIED
    people = len(scored.annotators)

    def count(rows: NDArray[np.bool_]) -> tuple[int, ...]:
        return tuple(np.bincount(judged.annotators[rows & known], minlength=people).tolist())

    return AssessmentModel(
        pair=scored.name,
        annotators=scored.annotators,
        scores=count(np.ones_like(again)),
        shared=count(again),
        model=model,
        no_model="" if model else NO_SHARED,
        systems=_systems(scored, model.quality) if model else (),
        agreement=agreement,
        sequence=sequence,
        no_sequence=no_sequence,
        sequence_given_others=given_others,
        no_gold=no_gold,
        kept=tuple(scored.annotators[code] for code in kept),
        systems_of_kept=_systems(scored, of_kept.quality) if of_kept else (),
        given_systems=scored.gold is not None,
    )


def _items(assessments: Assessments) -> ItemJudgements:
    types = assessments.types.astype(np.int64)
    outputs, degraded = assessments.of(*OF_SYSTEMS), assessments.of(ItemType.DEGRADED)
    keys = np.stack(
        [
            np.where(outputs, int(ItemType.OUTPUT), types),
            # The reference of a segment is the same for all systems.
            np.where(assessments.of(ItemType.REFERENCE), -1, assessments.systems),
            assessments.segments,
            # Each batch has degraded outputs of its own.
            np.where(degraded, assessments.batches, -1),
        ],
        axis=1,
    )
    _, items = np.unique(keys, axis=0, return_inverse=True)
    return ItemJudgements(
        items.ravel().astype(np.int32), assessments.annotators, assessments.segments
    )


def means_of_others(judged: ItemJudgements, z: Floats) -> Floats:
    """Return for each score the mean of the other annotators' scores of the item; NaN if none."""
    known = ~np.isnan(z)
    values = np.where(known, z, 0.0)
    people = np.int64(judged.annotators.max(initial=0)) + 1
    _, own = np.unique(judged.items * people + judged.annotators, return_inverse=True)
    things, cells = int(judged.items.max(initial=-1)) + 1, int(own.max(initial=-1)) + 1
    sums = sums_by(judged.items, values, things)[judged.items] - sums_by(own, values, cells)[own]
    counts = sums_by(judged.items, known, things)[judged.items] - sums_by(own, known, cells)[own]
    return shares(sums, counts)


def means_of_systems(
    judged: ItemJudgements, values: Floats, produced: tuple[Codes, Codes]
) -> Floats:
    """Return for each value the mean in other sentences of the systems that produced its item.

    Where each system has one translation on a screen, a good one is mostly followed by a worse one:
    without these means that looks like an effect of the order. `produced` is as in ScoredItems.
    """
    by_item = np.argsort(produced[1], kind="stable")
    systems, items = produced[0][by_item], produced[1][by_item]
    starts = np.searchsorted(items, judged.items)
    counts = np.searchsorted(items, judged.items, side="right") - starts
    rows = np.repeat(np.arange(len(values)), counts)
    # The places from `starts` on, one for each system of the row's item.
    first = np.repeat(np.cumsum(counts) - counts, counts)
    of = systems[np.repeat(starts, counts) + np.arange(len(rows)) - first].astype(np.int64)
    known = np.isfinite(values[rows]).astype(np.float64)
    given = np.nan_to_num(values[rows])
    size = int(of.max(initial=-1)) + 1
    _, cells = np.unique(
        of * (int(judged.sentences.max(initial=0)) + 1) + judged.sentences[rows],
        return_inverse=True,
    )
    number = int(cells.max(initial=-1)) + 1
    sums = sums_by(of, given, size)[of] - sums_by(cells, given, number)[cells]
    others = sums_by(of, known, size)[of] - sums_by(cells, known, number)[cells]
    means = shares(sums, others)
    there = ~np.isnan(means)
    totals = sums_by(rows[there], means[there], len(values))
    return shares(totals, np.bincount(rows[there], minlength=len(values)).astype(np.float64))


def _systems(scored: ScoredItems, quality: Floats) -> tuple[ModelledSystem, ...]:
    systems, items = scored.produced
    known = ~np.isnan(quality[items])
    systems, items = systems[known], items[known]
    count = len(scored.system_names)
    segments = np.bincount(systems, minlength=count)
    means = shares(sums_by(systems, quality[items], count), segments.astype(np.float64))
    order = [code for code in np.argsort(-means, kind="stable").tolist() if segments[code]]
    return tuple(
        ModelledSystem(scored.system_names[code], float(means[code]), int(segments[code]))
        for code in order
    )

"""What a model of annotators, repeats and the order of items say of direct assessments.

Items are outputs of a segment, with their repeats; references and degraded outputs are items of
their own, because the model and the standardised scores need all that an annotator scored.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.scores import ScoreAgreement, measure_scores
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.score_model import ScoreModel, fit_scores
from evaluation.stats.annotators.score_sequence import ScoreSequence, score_sequence
from evaluation.stats.assessment.items import OF_SYSTEMS, Assessments, ItemType
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import Floats, shares, sums_by

UNKNOWN_ORDER: Final = "the files do not say in which order the items were shown"
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
    `no_sequence` and `no_gold` say why.
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


def model_assessments(
    assessments: Assessments, *, resamples: int = 1000, seed: int = 0
) -> AssessmentModel:
    """Fit the model, and measure agreement and effects of the order, of one language pair.

    Raises ValueError for assessments of several language pairs.
    """
    pairs = [assessments.language_pairs[code] for code in np.unique(assessments.pairs)]
    if len(pairs) != 1:
        raise ValueError("Give the assessments of one language pair.")
    z = standardise(assessments).scores
    judged = _items(assessments)
    again = np.bincount(judged.items)[judged.items] > 1
    model = fit_scores(judged, z) if again.any() else None
    outputs = assessments.of(*OF_SYSTEMS)
    agreement = measure_scores(judged.select(outputs), z[outputs], resamples=resamples, seed=seed)
    # Only files with the time of each item have them in the order shown.
    timed = ~np.isnan(assessments.seconds)
    sequence = given_others = None
    no_sequence = no_gold = "" if timed.any() else UNKNOWN_ORDER
    if timed.any():
        shown, batches, order = judged.select(timed), assessments.batches, assessments.order
        sequence = score_sequence(shown, z[timed], order[timed], sequences=batches[timed])
        others = _means_of_others(judged, z)[timed]
        if np.isnan(others).all():
            no_gold = NO_GOLD
        else:
            given_others = score_sequence(
                shown, z[timed], order[timed], gold=others, sequences=batches[timed]
            )
    people = len(assessments.annotator_names)
    return AssessmentModel(
        pair=pairs[0],
        annotators=assessments.annotator_names,
        scores=tuple(np.bincount(assessments.annotators, minlength=people).tolist()),
        shared=tuple(np.bincount(assessments.annotators[again], minlength=people).tolist()),
        model=model,
        no_model="" if model else NO_SHARED,
        systems=_systems(assessments, judged.items, model.quality) if model else (),
        agreement=agreement,
        sequence=sequence,
        no_sequence=no_sequence,
        sequence_given_others=given_others,
        no_gold=no_gold,
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


def _means_of_others(judged: ItemJudgements, z: Floats) -> Floats:
    """Return for each score the mean of the other annotators' scores of the item; NaN if none."""
    known = ~np.isnan(z)
    values = np.where(known, z, 0.0)
    people = np.int64(judged.annotators.max(initial=0)) + 1
    _, own = np.unique(judged.items * people + judged.annotators, return_inverse=True)
    things, cells = int(judged.items.max(initial=-1)) + 1, int(own.max(initial=-1)) + 1
    sums = sums_by(judged.items, values, things)[judged.items] - sums_by(own, values, cells)[own]
    counts = sums_by(judged.items, known, things)[judged.items] - sums_by(own, known, cells)[own]
    return shares(sums, counts)


def _systems(assessments: Assessments, items: Codes, quality: Floats) -> tuple[ModelledSystem, ...]:
    rows = np.flatnonzero(assessments.of(*OF_SYSTEMS) & ~np.isnan(quality[items]))
    _, first = np.unique(items[rows], return_index=True)
    rows = rows[first]
    count = len(assessments.system_names)
    segments = np.bincount(assessments.systems[rows], minlength=count)
    means = shares(
        sums_by(assessments.systems[rows], quality[items[rows]], count), segments.astype(np.float64)
    )
    order = [code for code in np.argsort(-means, kind="stable").tolist() if segments[code]]
    return tuple(
        ModelledSystem(assessments.system_names[code], float(means[code]), int(segments[code]))
        for code in order
    )

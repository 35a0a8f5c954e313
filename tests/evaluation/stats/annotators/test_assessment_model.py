"""The model of annotators, repeats and the order of direct assessments."""

import numpy as np
import pytest

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.assessment_model import means_of_systems, model_assessments
from evaluation.stats.annotators.score_sequence import score_sequence
from evaluation.stats.assessment.items import Assessments, ItemType


def assessed(rows, *, timed=True):
    """Annotator, system, segment, type and score of each row; an annotator is a batch."""
    annotators, systems, segments, types = np.array([row[:4] for row in rows]).T.astype(np.int32)
    count = int(annotators.max()) + 1
    return Assessments(
        language_pairs=("cs-en",),
        annotator_names=tuple(f"p{code}" for code in range(count)),
        system_names=tuple(f"s{code}" for code in range(int(systems.max()) + 1)),
        segment_names=tuple(map(str, range(int(segments.max()) + 1))),
        batch_names=tuple(map(str, range(count))),
        pairs=np.zeros(len(rows), dtype=np.int32),
        annotators=annotators,
        systems=systems,
        segments=segments,
        batches=annotators,
        types=types.astype(np.int8),
        scores=np.array([row[4] for row in rows], dtype=float),
        seconds=np.full(len(rows), 5.0 if timed else np.nan),
        order=np.arange(len(rows), dtype=np.int32),
        batch_seconds=np.full(count, np.nan),
    )


def test_precise_annotators_decide_the_order_of_systems():
    """Five annotators prefer system 0; three random ones do not."""
    random = np.random.default_rng(0)
    quality = 50 + 10 * random.normal(size=(2, 60)) + [[5], [0]]
    rows = []
    for who in range(8):
        noise = random.normal(size=quality.shape) * 4
        scores = quality + noise if who < 5 else random.uniform(10, 90, quality.shape)
        for system, segment in np.ndindex(*quality.shape):
            rows.append(
                (who, system, segment, ItemType.OUTPUT, np.clip(scores[system, segment], 0, 100))
            )

    found = model_assessments(assessed(rows), resamples=100)

    assert found.model
    precise = found.model.most_precise(5)
    assert set(precise) == set(range(5))
    assert found.model.precision[5:].max() < 1.5 < found.model.precision[:5].min()
    assert [row.system for row in found.systems] == ["s0", "s1"]
    assert found.shared == found.scores == (120,) * 8


def test_items_are_outputs_with_repeats_and_control_items_apart():
    kinds = (ItemType.OUTPUT, ItemType.REPEAT, ItemType.REFERENCE, ItemType.DEGRADED)
    rows = [
        (who, system, 0, kind, 10.0 * (who + 1) + 20 * system + kind)
        for who in (0, 1)
        for system in (0, 1)
        for kind in kinds
    ]

    found = model_assessments(assessed(rows), resamples=100)

    # Outputs and repeats of each system, and the reference of both; degraded outputs have no other.
    assert found.shared == (6, 6)
    assert found.model
    assert np.count_nonzero(~np.isnan(found.model.quality)) == 2 + 1 + 4
    assert (found.agreement.intra.pairs, found.agreement.inter.pairs) == (4, 8)
    assert [row.segments for row in found.systems] == [1, 1]


def test_the_mean_of_the_others_is_held_fixed_where_there_is_one():
    random = np.random.default_rng(1)
    rows = [
        (who, 0, segment, ItemType.OUTPUT, random.uniform(0, 100))
        for who in (0, 1)
        for segment in range(40 * who, 40 * who + 60)
    ]

    found = model_assessments(assessed(rows), resamples=100)

    # The last 20 segments of the first annotator are the first of the second.
    assert found.sequence
    assert found.sequence_given_others
    assert found.sequence.all.items == 118
    assert found.sequence_given_others.all.items == 20 + 19
    alone = model_assessments(assessed(rows[:60]), resamples=100)
    assert (alone.model, alone.sequence_given_others) == (None, None)
    assert alone.no_model
    assert alone.no_gold
    assert model_assessments(assessed(rows, timed=False), resamples=100).sequence is None


def test_standardised_scores_make_no_effect_of_short_batches():
    random = np.random.default_rng(3)
    rows = [
        (who, 0, 6 * who + place, ItemType.OUTPUT, random.normal(40 + who % 30, 5 + who % 9))
        for who in range(200)
        for place in range(6)
    ]

    found = model_assessments(assessed(rows), resamples=0).sequence

    # Centred by annotator, scores resemble the previous one by -0.2.
    assert found
    assert found.all.previous
    assert found.all.previous.low < 0 < found.all.previous.high
    assert found.all.previous.value == pytest.approx(0, abs=0.07)


def test_it_refuses_several_language_pairs():
    given = assessed([(0, 0, 0, ItemType.OUTPUT, 5.0)])

    with pytest.raises(ValueError, match="one language pair"):
        model_assessments(given.select(np.zeros(1, dtype=np.bool_)))


def test_systems_are_scored_by_the_most_precise_annotators_alone():
    random = np.random.default_rng(4)
    quality = random.normal(50, 15, (2, 40)) + np.array([[5.0], [-5.0]])
    rows = [
        (who, system, segment, ItemType.OUTPUT, score)
        for who in range(4)
        for system in range(2)
        for segment in range(40)
        for score in [
            float(
                random.uniform(0, 100)
                if who == 3
                else np.clip(quality[system, segment] + random.normal(0, 5), 0, 100)
            )
        ]
    ]

    found = model_assessments(assessed(rows), resamples=50, keep=3)

    assert set(found.kept) == {"p0", "p1", "p2"}
    alone = model_assessments(assessed([row for row in rows if row[0] != 3]), resamples=50)
    of_three = {row.system: row.quality for row in alone.systems}
    assert {row.system: row.quality for row in found.systems_of_kept} == pytest.approx(of_three)
    assert model_assessments(assessed(rows), resamples=50, keep=4).kept == ()


def test_means_of_systems_are_those_of_other_sentences():
    # Items 0 and 1 of sentence 0, 2 and 3 of sentence 1; item 3 is of both systems.
    judged = ItemJudgements(
        items=np.array([0, 1, 2, 3], dtype=np.int32),
        annotators=np.zeros(4, dtype=np.int32),
        sentences=np.array([0, 0, 1, 1], dtype=np.int32),
    )
    produced = (
        np.array([0, 1, 0, 0, 1], dtype=np.int32),
        np.array([0, 1, 2, 3, 3], dtype=np.int32),
    )

    means = means_of_systems(judged, np.array([1.0, 2.0, 3.0, 5.0]), produced)

    # System 0 has 3 and 5 in the other sentence, system 1 only 5; backwards 1 and 2.
    assert means.tolist() == [4.0, 5.0, 1.0, 1.5]


def test_systems_on_one_screen_are_no_effect_of_the_order():
    random = np.random.default_rng(7)
    screens, systems = 400, 4
    order = np.array([random.permutation(systems) for _screen in range(screens)]).ravel()
    sentences = np.repeat(np.arange(screens, dtype=np.int32), systems)
    judged = ItemJudgements(
        items=(sentences * systems + order).astype(np.int32),
        annotators=sentences % 8,
        sentences=sentences,
    )
    scores = order + random.normal(0, 1, len(order))
    codes = np.arange(screens * systems, dtype=np.int32)
    gold = means_of_systems(judged, scores, ((codes % systems).astype(np.int32), codes))
    places = np.arange(len(order), dtype=np.int32)

    without = score_sequence(judged, scores, places).all.previous
    given = score_sequence(judged, scores, places, gold=gold).all.previous

    assert without is not None
    assert without.high < -0.05
    assert given is not None
    assert given.low < 0 < given.high

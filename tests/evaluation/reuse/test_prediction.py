"""Prediction, correction and carried-over effects of systems without judgements."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from annotation.formats.errors import InputError
from evaluation.reuse.correction import (
    Observed,
    correct,
    observe,
    split_judgements,
)
from evaluation.reuse.prediction import (
    Misses,
    Prediction,
    hide_ranks,
    judgements_needed,
    leave_one_out,
    predict_system,
    with_system,
)
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.system_effect import SystemEffect, carry_over, measure_effect
from evaluation.stats.estimates import Estimate, Signature
from evaluation.stats.judgements import MISSING, OF_JUDGEMENTS, Judgements
from tests.evaluation.reuse.projects import SYSTEMS, bounds, rank_again, simulated_project, width

SIGNATURE = Signature("made up", (), 100, 50)


def prediction(
    *,
    wins: float = 0,
    losses: float = 0,
    misses: int = 100,
    deviation: float = 0.1,
    share: float = 1.0,
) -> Prediction:
    """A system predicted to win 2 and lose 2 of 5 comparisons in each miss; a sentence has 2."""
    return Prediction(
        system="new",
        score=Estimate(0.5, 0.4, 0.6),
        rank=2,
        best_rank=1,
        worst_rank=3,
        other_scores=(("good", 0.6), ("bad", 0.4)),
        judgements=100,
        hits=0,
        wins=wins,
        losses=losses,
        share=share,
        deviation=deviation,
        degrees=9,
        spread=1.0,
        misses=Misses(
            segments=np.arange(misses),
            sentences=(np.arange(misses) // 2).astype(np.int32),
            comparisons=np.full(misses, 5.0),
            wins=np.full(misses, 2.0),
            losses=np.full(misses, 2.0),
        ),
        signature=SIGNATURE,
    )


def observed(wins: list[float], losses: list[float], comparisons: float = 5) -> Observed:
    rows = np.arange(len(wins))
    return Observed(rows, np.array(wins), np.array(losses), np.full(len(wins), comparisons))


def ratio(judgements: Judgements, texts: ProjectTexts, system: str) -> float:
    found = observe(judgements, texts, system)
    return float(found.wins.sum() / (found.wins.sum() + found.losses.sum()))


def test_a_system_that_copies_another_has_its_score_and_no_uncertainty():
    judgements, texts = simulated_project(seed=1)
    copied = texts.system_candidates[:, 2]
    copy = with_system(
        texts, "copy", [texts.candidate_texts[code] for code in copied], texts.outputs[2]
    )

    found = predict_system(judgements, copy, "copy")

    # The copied system meets the same opponents, and its copy as a tie.
    assert found.score.value == pytest.approx(ratio(judgements, texts, SYSTEMS[2]))
    assert found.score.low == found.score.high == found.score.value
    assert found.best_rank == found.rank == found.worst_rank
    assert (found.share, found.hit_rate, len(found.misses)) == (0, 1, 0)


def test_ranks_of_the_systems_own_candidates_are_not_read():
    judgements, texts = simulated_project(seed=2)

    before = predict_system(judgements, texts, SYSTEMS[0])
    after = predict_system(rank_again(judgements, texts, 0), texts, SYSTEMS[0])

    assert after.score == before.score
    assert after.spread == before.spread


def test_a_hit_keeps_its_rank_and_a_miss_has_none():
    judgements, texts = simulated_project(seed=3)
    ranks = hide_ranks(judgements, texts, 0)

    rows = texts.segments_of(judgements)
    own = texts.system_candidates[rows, 0]
    shared = (texts.system_candidates[rows][:, 1:] == own[:, None]).any(axis=1)
    assert 0 < shared.sum() < len(shared)
    assert (ranks[shared, 0] == judgements.system_ranks[shared, 0]).all()
    assert (ranks[~shared, 0] == MISSING).all()
    assert (ranks[:, 1:] == judgements.system_ranks[:, 1:]).all()


def test_a_left_out_system_is_predicted_as_if_it_were_new():
    judgements, texts = simulated_project(seed=4)

    left_out = leave_one_out(judgements, texts)

    first = predict_system(judgements, texts, SYSTEMS[0])
    assert [each.prediction.system for each in left_out] == list(SYSTEMS)
    assert left_out[0].prediction.score == first.score
    assert left_out[0].score == pytest.approx(ratio(judgements, texts, SYSTEMS[0]))


def test_a_system_that_is_added_is_predicted_like_one_of_the_project():
    judgements, texts = simulated_project(seed=12)
    own = texts.system_candidates[:, 0]
    fewer = replace(
        texts,
        outputs=texts.outputs[1:],
        system_candidates=texts.system_candidates[:, 1:],
        system_names=SYSTEMS[1:],
    )
    of_others = replace(
        judgements,
        system_ranks=judgements.system_ranks[:, 1:],
        system_candidates=judgements.system_candidates[:, 1:],
        system_names=SYSTEMS[1:],
    )
    more = with_system(fewer, "a", [texts.candidate_texts[code] for code in own], texts.outputs[0])

    found = predict_system(of_others, more, "a")

    expected = predict_system(judgements, texts, "a")
    assert found.score.value == pytest.approx(expected.score.value)
    assert bounds(found.score) == pytest.approx(bounds(expected.score))
    assert (found.hits, found.rank) == (expected.hits, expected.rank)


def test_texts_tell_good_from_bad_systems():
    # Bad candidates have words that no other system uses, as systems differ in how many they have.
    judgements, texts = simulated_project(seed=5, sentences=150)

    left_out = leave_one_out(judgements, texts)

    real = [each.score for each in left_out]
    predicted = [each.prediction.score.value for each in left_out]
    assert np.corrcoef(real, np.array(predicted, dtype=float))[0, 1] > 0.8


@pytest.mark.parametrize("missing", ["outputs", "references", "both"])
def test_projects_without_outputs_or_references_are_predicted_too(missing):
    judgements, texts = simulated_project(seed=6)
    nothing = ((),) * len(texts.references)
    bare = replace(
        texts,
        references=nothing if missing != "outputs" else texts.references,
        outputs=texts.outputs if missing == "references" else (nothing,) * len(SYSTEMS),
    )

    found = predict_system(judgements, bare, SYSTEMS[0])

    assert found.score.value is not None
    assert np.isfinite(found.misses.wins).all()


def test_fewer_than_three_other_systems_are_refused():
    judgements, texts = simulated_project(seed=7)
    unranked = judgements.system_ranks.copy()
    unranked[:, 3:] = MISSING

    with pytest.raises(InputError):
        predict_system(replace(judgements, system_ranks=unranked), texts, SYSTEMS[0])


def test_a_system_of_which_only_hits_are_ranked_is_not_one_of_the_judged():
    judgements, texts = simulated_project(seed=11)
    only_hits = replace(judgements, system_ranks=hide_ranks(judgements, texts, 5))

    found = predict_system(only_hits, texts, SYSTEMS[0])

    assert [name for name, _ in found.other_scores] == list(SYSTEMS[1:5])


def test_a_system_that_is_in_no_judged_segment_has_no_score():
    judgements, texts = simulated_project(seed=8)
    absent = with_system(texts, "absent", [None] * len(texts.segment_ids))

    found = predict_system(judgements, absent, "absent")

    assert found.score.value is None
    assert found.score.undefined
    assert (found.rank, found.hit_rate) == (None, 0)


def test_a_new_candidate_follows_those_of_its_segment():
    _, texts = simulated_project(seed=9)
    known = texts.candidate_texts[texts.first_candidates[1]]
    candidates = ["not seen before", known] + [None] * (len(texts.segment_ids) - 2)

    more = with_system(texts, "new", candidates)

    assert more.candidate_texts[more.first_candidates[1] - 1] == "not seen before"
    assert more.system_candidates[1, -1] == more.first_candidates[1]
    assert (more.system_candidates[2:, -1] == -1).all()
    for system in range(len(SYSTEMS)):
        for segment in (0, 1, 5):
            old, now = texts.system_candidates[segment, system], more.system_candidates
            assert more.candidate_texts[now[segment, system]] == texts.candidate_texts[old]


def test_the_name_of_a_system_cannot_be_used_again():
    _, texts = simulated_project(seed=10)

    with pytest.raises(InputError):
        with_system(texts, SYSTEMS[0], [None] * len(texts.segment_ids))


# --- correction -----------------------------------------------------------------------------------


def test_judgements_of_the_systems_own_candidates_only_correct_the_prediction():
    judgements, texts = simulated_project(seed=13)
    # Annotators judged all segments before the system was added, and its own candidates later.
    ranks = judgements.system_ranks.copy()
    ranks[:, 0] = hide_ranks(judgements, texts, 0)[:, 0]
    later = judgements.select(ranks[:, 0] != judgements.system_ranks[:, 0])
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(judgements, name), getattr(later, name)])
        for name in OF_JUDGEMENTS
    }
    columns["system_ranks"] = np.concatenate([ranks, later.system_ranks])
    together = replace(judgements, **columns)

    base, own = split_judgements(together, texts, SYSTEMS[0])
    found = correct(predict_system(base, texts, SYSTEMS[0]), observe(own, texts, SYSTEMS[0]))

    assert (len(base), len(own)) == (len(judgements), len(later))
    assert found.judged == found.misses == len(later)
    assert found.score.value == pytest.approx(ratio(judgements, texts, SYSTEMS[0]))
    assert width(found.score) == pytest.approx(0)


def test_judgements_that_agree_with_the_prediction_leave_no_doubt():
    found = correct(prediction(), observed([2] * 20, [2] * 20))

    assert found.score == found.unshrunk == Estimate(0.5, 0.5, 0.5)
    assert found.weight == 1


def test_a_correction_adds_the_mean_difference_in_all_misses():
    # 20 of 100 misses: 3 wins and 1 loss instead of 2 and 2, in each. Totals: 300 and 100.
    found = correct(prediction(), observed([3] * 20, [1] * 20))

    assert found.unshrunk.value == pytest.approx(0.75)


def test_a_correction_is_drawn_to_the_prediction_by_the_variances():
    # 4 : 0 and 2 : 2 in turn, instead of 2 : 2; totals 300 : 100, so the ratio is .75. Influences
    # of a miss .25 · 2 + .75 · 2 = 2 and 0: a variance of 50 / 49, and a spread of
    # 100 · √(50 / 49) / 400.
    wins, losses = [4.0, 2.0] * 25, [0.0, 2.0] * 25
    found = correct(prediction(deviation=0.05), observed(wins, losses))

    variance = (100 / 400) ** 2 * 50 / 49 * (1 / 50 - 1 / 100)
    weight = 0.05**2 / (0.05**2 + variance)
    assert found.weight == pytest.approx(weight)
    assert found.score.value == pytest.approx(0.5 + weight * 0.25)
    # The interval takes τ 1.25 times as wide; 49 and 9 degrees of freedom.
    parts = weight**2 * variance, ((1 - weight) * 1.25 * 0.05) ** 2
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / 49 + parts[1] ** 2 / 9)
    half = stdtrit(degrees, 0.975) * np.sqrt(sum(parts))
    assert width(found.score) == pytest.approx(2 * half)


def test_all_misses_judged_give_the_real_score():
    wins, losses = [5.0, 1.0] * 50, [0.0, 2.0] * 50
    found = correct(prediction(wins=100, losses=300), observed(wins, losses))

    # 100 + 300 wins, 300 + 100 losses.
    assert found.score == Estimate(0.5, 0.5, 0.5)
    assert found.needed(0.01) == 0


def test_judgements_of_more_opponents_are_scaled_to_those_of_the_prediction():
    found = correct(prediction(), observed([6] * 20, [2] * 20, comparisons=10))

    assert found.unshrunk.value == pytest.approx(0.75)


def test_segments_that_are_no_misses_do_not_count():
    strange = Observed(np.arange(95, 115), np.full(20, 2.0), np.full(20, 2.0), np.full(20, 5.0))

    with pytest.raises(InputError):
        correct(prediction(), strange)


def test_corrected_intervals_hold_the_truth_as_often_as_they_say():
    random = np.random.default_rng(0)
    good = 0
    for _ in range(400):
        # The system differs from its prediction by what other systems do: τ = .1 of net wins.
        effect = random.normal(0, 0.1)
        chance = np.clip(0.5 + effect, 0, 1)
        wins = random.binomial(4, chance, 100).astype(float)
        losses = 4 - wins
        truth = wins.sum() / 400
        drawn = random.permutation(100)[:30]
        everything = Observed(np.arange(100), wins, losses, np.full(100, 5.0))
        found = correct(prediction(deviation=0.1), everything.select(drawn))
        low, high = bounds(found.score)
        good += low <= truth <= high
    assert 0.93 <= good / 400 <= 0.99


def test_the_number_of_judgements_needed_gives_the_width():
    # Without a prior, and with infinitely many misses: n = (t · spread / half width)².
    needed = judgements_needed(0.01, prior=1e6, spread=0.1, misses=10**9)

    assert needed == pytest.approx((1.96 * 0.1 / 0.01) ** 2, rel=0.01)
    assert judgements_needed(0.01, prior=0.001, spread=0.1, misses=1000) == 0
    assert judgements_needed(0.0, prior=0.1, spread=0.1, misses=1000) is None
    assert judgements_needed(1e-9, prior=0.1, spread=0.1, misses=1000) == 1000


# --- effects of systems ---------------------------------------------------------------------------


def test_an_effect_is_the_error_by_decided_comparison_in_misses():
    # 3 : 1 instead of 2 : 2: .25 better, in all misses alike.
    effect = measure_effect(prediction(), observed([3] * 100, [1] * 100))

    assert effect.effect == pytest.approx(0.25)
    assert effect.standard_error == pytest.approx(0)
    assert (effect.segments, effect.sentences) == (100, 50)


def test_an_effect_corrects_another_prediction_by_its_share_of_misses():
    effect = SystemEffect("near", 0.1, 0.0, 400, 100, 50, SIGNATURE)

    # The system's hits are 400 of 800 decided comparisons.
    found = carry_over(prediction(wins=200, losses=200, share=0.5), effect)

    assert found.score == Estimate(0.55, 0.55, 0.55)
    assert (found.system, found.judged_system, found.weight) == ("new", "near", 1)


def test_an_uncertain_effect_has_less_weight_and_a_wider_interval():
    sure = carry_over(prediction(), SystemEffect("near", 0.1, 0.01, 400, 100, 50, SIGNATURE))
    unsure = carry_over(prediction(), SystemEffect("near", 0.1, 0.1, 400, 100, 50, SIGNATURE))

    # τ² / (τ² + error²) with τ = .1
    assert unsure.weight == pytest.approx(0.5)
    assert unsure.score.value == pytest.approx(0.55)
    assert width(unsure.score) > width(sure.score)


def test_an_effect_of_few_sentences_is_refused():
    with pytest.raises(InputError):
        measure_effect(prediction(), observed([3] * 12, [1] * 12))

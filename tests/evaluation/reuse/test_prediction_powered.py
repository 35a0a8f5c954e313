"""Prediction-powered estimates of ratios of wins."""

import numpy as np
import pytest
from scipy.special import stdtrit

from annotation.formats.errors import InputError
from evaluation.reuse.prediction_powered import (
    PoweredRanking,
    Ratios,
    estimate_ratios,
    expected_width,
    rank_prediction_powered,
    tabulate_sentences,
)
from tests.evaluation.reuse.projects import SYSTEMS, bounds, simulated_project, width

# Wins of a system in four comparisons, by sentence; the first four sentences are judged.
WON = np.array([[4.0], [0.0], [3.0], [1.0], [4.0], [4.0], [2.0], [4.0]])
JUDGED = np.arange(4)
EVERYTHING = np.arange(8)


def of(expected: np.ndarray, *, other_sentences: bool = False) -> Ratios:
    return estimate_ratios(
        WON,
        4 - WON,
        expected,
        4 - expected,
        judged=JUDGED,
        population=EVERYTHING,
        other_sentences=other_sentences,
    )


def test_a_perfect_predictor_gives_the_ratio_of_all_sentences():
    found = of(WON)

    assert found.plain == pytest.approx(8 / 16)
    assert found.powered == pytest.approx(22 / 32)
    assert found.weights == pytest.approx(1)
    assert found.errors == pytest.approx(0)


def test_a_predictor_that_says_the_same_of_all_sentences_changes_nothing():
    found = of(np.full((8, 1), 2.0))

    assert found.powered == found.plain == pytest.approx(0.5)
    assert found.weights == 0
    # Influences ±.5 and ±.25: a variance of .625 / 3, times 1 / 4 - 1 / 8.
    assert found.plain_errors == pytest.approx(np.sqrt(0.625 / 3 / 8))


def test_a_predictor_that_is_wrong_by_half_gets_its_weight():
    # 2 + 2 · (wins - 2) would be outside of 0 to 4, and is half right: λ = .5.
    found = of(2 + 2 * (WON - 2))

    assert found.weights == pytest.approx(0.5)
    assert found.powered == pytest.approx(22 / 32)


def test_a_predictor_that_says_the_opposite_is_not_used():
    assert of(4 - WON).weights == 0


def test_intervals_for_other_sentences_are_wider_than_for_those_of_the_project():
    here, elsewhere = of(WON), of(WON, other_sentences=True)

    # The variance of all sentences' influences, here that of the judged ones, by 8 sentences.
    assert elsewhere.errors == pytest.approx(np.sqrt(0.625 / 3 / 8))
    assert elsewhere.powered == here.powered


def test_intervals_hold_the_truth_as_often_as_they_say():
    random = np.random.default_rng(1)
    held, widths = [], []
    for _ in range(500):
        known = random.normal(0, 1, (300, 1))
        won = np.clip(np.round(2 + known + random.normal(0, 1, known.shape)), 0, 4)
        judged = random.permutation(300)[:60]
        found = estimate_ratios(
            won, 4 - won, 2 + known, 2 - known, judged=judged, population=np.arange(300)
        )
        half = stdtrit(found.degrees, 0.975) * found.errors
        held.append(abs(found.powered - won.mean() / 4) <= half)
        widths.append(found.errors / found.plain_errors)
    assert 0.93 <= np.mean(held) <= 0.97
    # Half of the variance is known.
    assert np.mean(widths) == pytest.approx(np.sqrt(0.5), abs=0.05)


def test_unjudged_sentences_make_intervals_narrower():
    judgements, texts = simulated_project(seed=1, sentences=160, judged=0.5)

    found = rank_prediction_powered(judgements, texts)

    assert found.judged == len(np.unique(judgements.sentences))
    assert found.sentences == 160
    assert (found.width_ratio or 1) < 0.8
    assert [each.system for each in found.systems] == list(SYSTEMS)
    assert len(found.pairs) == 15
    best = found.pairs[4]
    assert (best.system, best.other) == ("a", "f")
    assert bounds(best.win_rate)[0] > 0.5
    assert 0 < (best.p or 0) < (best.p_holm or 0) < 0.05


def width_of_a(found: PoweredRanking, more: int) -> float | None:
    (row,) = (each for each in found.systems if each.system == "a")
    after_100, after_1000, width = (
        expected_width(
            row.score,
            number,
            judged=found.judged,
            sentences=found.sentences,
            other_sentences=found.other_sentences,
        )
        for number in (100, 1000, more)
    )
    assert (row.after_100, row.after_1000) == (after_100, after_1000)
    return width


def test_the_figures_of_a_project_that_is_judged_whole_have_no_interval_of_their_own():
    judgements, texts = simulated_project(seed=2, sentences=40)

    found = rank_prediction_powered(judgements, texts)

    for each in found.systems:
        assert each.score.value == pytest.approx(each.plain.value)
        assert each.score.low == pytest.approx(each.score.high)
    assert width_of_a(found, 10) == 0


def test_the_expected_width_follows_the_number_of_sentences():
    judgements, texts = simulated_project(seed=3, sentences=160, judged=0.25)
    prepared = tabulate_sentences(texts)

    found = rank_prediction_powered(judgements, texts, prepared=prepared)
    elsewhere = rank_prediction_powered(judgements, texts, prepared=prepared, other_sentences=True)

    n = found.judged
    here = width(found.systems[0].score)
    left = (1 / (n + 40) - 1 / 160) / (1 / n - 1 / 160)
    assert width_of_a(found, 40) == pytest.approx(here * np.sqrt(left))
    assert width_of_a(found, 1000) == pytest.approx(0)
    there = width(elsewhere.systems[0].score)
    assert width_of_a(elsewhere, 40) == pytest.approx(there * np.sqrt(n / (n + 40)))


def test_few_judged_sentences_are_refused():
    judgements, texts = simulated_project(seed=4, sentences=10)

    with pytest.raises(InputError):
        rank_prediction_powered(judgements, texts)

import numpy as np
import pytest

from evaluation.meta.correlation import pearson
from evaluation.meta.intervals import (
    FEW_SYSTEMS,
    ResampledScores,
    interval_of,
    interval_of_systems,
    resample_comparisons,
    resample_human_scores,
    resample_systems,
)
from evaluation.stats.ranking.scores import expected_wins
from evaluation.stats.resampling import ALL_EQUAL, ALL_UNDEFINED
from evaluation.stats.wins import SentenceWins
from tests.evaluation.meta.known import known


def resampled(units: int, resamples: int) -> ResampledScores:
    return ResampledScores("sentences", units, 7, np.zeros((resamples, 2)), np.zeros((1, 2)))


def test_resampled_comparisons_keep_their_number():
    counts = np.array([[3.0, 1, 2, 0, 0, 1, 2, 0, 4, 1, 0, 3]])
    tables = resample_comparisons(SentenceWins(counts, 3), resamples=400, seed=2)
    assert (tables.compared.sum(axis=(1, 2)) == 2 * counts[0, :9].sum()).all()
    assert (tables.same_texts <= tables.ties).all()
    total = SentenceWins(counts, 3).total()
    assert tables.wins.mean(axis=0) == pytest.approx(total.wins[0], abs=0.3)
    assert np.mean(tables.same_texts, axis=0) == pytest.approx(
        np.squeeze(total.same_texts), abs=0.3
    )
    empty = resample_comparisons(SentenceWins(counts * 0, 3), resamples=2, seed=2)
    assert not empty.compared.any()


def test_resampled_sentences_give_wider_intervals_than_resampled_comparisons():
    # In each sentence, one order of four systems decides four comparisons of each pair.
    random = np.random.default_rng(4)
    quality, metric = np.array([0.0, 0.2, 0.4, 0.6]), np.array([0.1, 0.0, 0.5, 0.6])
    noisy = quality + random.normal(size=(300, 4))
    x, y = np.triu_indices(4, 1)
    won = 4.0 * (noisy[:, x] > noisy[:, y])
    wins = SentenceWins(np.concatenate([won, 4 - won, won * 0, won * 0], axis=1), 4)
    both = resample_human_scores(wins, expected_wins, metric[None], resamples=1000, seed=1)
    assert [(of.resampled, of.units) for of in both] == [("sentences", 300), ("comparisons", 7200)]
    widths = [known(interval_of(pearson(of.human, metric), of).half_width) for of in both]
    assert 2 < widths[0] / widths[1] < 3


def test_ends_are_within_the_bounds_and_undefined_resamples_are_counted():
    values = np.concatenate([np.linspace(0.5, 1, 99), [np.nan]])
    found = interval_of(values, resampled(1000, 100), (-1, 1))
    assert (found.undefined, found.resamples, found.units, found.seed) == (1, 100, 1000, 7)
    assert 0.5 <= known(found.low) < 0.52
    assert 0.98 < known(found.high) <= 1
    mostly = interval_of(np.array([0.5, 0.6, *[np.nan] * 8]), resampled(1000, 10), (-1, 1))
    assert (mostly.low, mostly.high) == (-1, 1)


def test_it_says_why_there_is_no_interval():
    assert (
        interval_of(np.zeros(9), resampled(9, 9)).reason
        == "the figure comes from fewer than 10 sentences"
    )
    assert interval_of(np.full(9, 0.5), resampled(20, 9)).reason == ALL_EQUAL
    assert interval_of(np.full(9, np.nan), resampled(20, 9)).reason == ALL_UNDEFINED
    assert interval_of(np.zeros(0), resampled(20, 0)).reason
    assert interval_of_systems(np.full(9, np.nan), systems=12, seed=1).reason == ALL_UNDEFINED
    assert interval_of(np.zeros(9), resampled(9, 9)).half_width is None


def test_intervals_over_few_systems_are_shown_with_a_caution():
    human, metric = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 3, 2, 5, 4])
    picked = resample_systems(5, resamples=1000, seed=1)
    few = interval_of_systems(pearson(human[picked], metric[picked]), systems=5, seed=1)
    assert few.caution == FEW_SYSTEMS
    assert known(few.high) - known(few.low) > 0.7
    assert few.undefined == np.isnan(pearson(human[picked], metric[picked])).sum()
    assert not interval_of_systems(np.linspace(0, 1, 99), systems=10, seed=1).caution

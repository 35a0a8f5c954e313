import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t

from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import (
    ALL_EQUAL,
    ALL_UNDEFINED,
    CORRELATION,
    FEWEST_SENTENCES,
    OFTEN_UNDEFINED,
    SHARE,
    interval,
    number_sentences,
    resampled_sums,
    with_interval,
)


def plain_sums(per_sentence, resamples, seed):
    """The definition: draw a sentence, add its counts; S times, for each resample."""
    random = np.random.default_rng(seed)
    sums = []
    for _ in range(resamples):
        drawn = random.integers(0, len(per_sentence), len(per_sentence))
        sums.append([sum(column) for column in zip(*per_sentence[drawn].tolist(), strict=True)])
    return sums


def test_it_agrees_with_plain_loops():
    per_sentence = np.arange(12.0).reshape(6, 2)

    assert resampled_sums(per_sentence, resamples=20, seed=3).tolist() == plain_sums(
        per_sentence, 20, 3
    )


def test_another_number_of_sentences_may_be_drawn():
    assert (resampled_sums(np.ones((7, 1)), resamples=5, seed=1, size=3) == 3).all()
    assert (resampled_sums(np.ones((7, 1)), resamples=5, seed=1, size=20) == 20).all()


def test_few_of_many_are_picked_out_alike(monkeypatch):
    per_sentence = np.random.default_rng(0).integers(0, 9, (130, 3)).astype(np.float64)
    picked = resampled_sums(per_sentence, resamples=4, seed=1, size=2)

    monkeypatch.setattr("evaluation.stats.resampling.FEW", 1000)

    assert (resampled_sums(per_sentence, resamples=4, seed=1, size=2) == picked).all()


def test_one_draw_serves_all_columns_however_many_there_are():
    narrow, wide = np.arange(30.0)[:, None], np.tile(np.arange(30.0)[:, None], 5)

    alone = resampled_sums(narrow, resamples=10, seed=5)

    assert (resampled_sums(wide, resamples=10, seed=5) == alone).all()


def test_parts_change_nothing(monkeypatch):
    per_sentence = np.random.default_rng(0).integers(0, 9, (40, 3)).astype(np.float64)
    whole = resampled_sums(per_sentence, resamples=25, seed=2)

    monkeypatch.setattr("evaluation.stats.resampling.COUNTS_AT_ONCE", 100)
    monkeypatch.setattr("evaluation.stats.resampling.SENTENCES_AT_ONCE", 7)

    assert (resampled_sums(per_sentence, resamples=25, seed=2) == whole).all()

    monkeypatch.setattr("evaluation.stats.resampling.COUNTS_AT_ONCE", 1000)
    monkeypatch.setattr("evaluation.stats.resampling.DRAWN_AT_ONCE", 100)

    assert (resampled_sums(per_sentence, resamples=25, seed=2) == whole).all()


def test_two_seeds_differ_and_one_seed_does_not():
    per_sentence = np.arange(50.0)[:, None]

    one = resampled_sums(per_sentence, resamples=5, seed=1)

    assert (resampled_sums(per_sentence, resamples=5, seed=1) == one).all()
    assert (resampled_sums(per_sentence, resamples=5, seed=2) != one).any()


@pytest.mark.parametrize("sentences", [10, 15, 2814])
def test_an_interval_has_the_percentiles_of_students_t(sentences):
    values = np.random.default_rng(3).normal(size=1000)
    tail = norm.cdf(-np.sqrt(sentences / (sentences - 1)) * t.ppf(0.975, sentences - 1))

    found = interval(values, sentences)

    assert found == pytest.approx(np.quantile(values, [tail, 1 - tail]))
    assert tail < 0.025


def test_undefined_resamples_count_on_both_sides():
    values = np.arange(1000.0)
    values[::20] = np.nan

    assert interval(values, 100) == (-np.inf, np.inf)
    assert np.isnan(interval(np.full(5, np.nan), 100)).all()
    assert with_interval(500, values, 100).no_interval == OFTEN_UNDEFINED
    share = with_interval(0.5, values / 1000, 100, SHARE)
    assert (share.low, share.high) == (0, 1)


def test_resamples_without_bound_leave_one_end():
    values = np.arange(100.0)
    values[60:] = np.inf

    found = with_interval(50, values, 100)

    assert found.low == pytest.approx(interval(values, 100)[0])
    assert found.high is None
    assert found.no_interval == OFTEN_UNDEFINED


def test_equal_resamples_have_wilsons_interval_or_none():
    # Wilson (1927): 10 of 10.
    low = 10 / (10 + 1.959963984540054**2)
    of_share = with_interval(1, np.ones(50), 10, SHARE)
    assert of_share.low == pytest.approx(low)
    assert of_share.high == 1
    of_tau = with_interval(-1, -np.ones(50), 10, CORRELATION)
    assert (of_tau.low, of_tau.high) == pytest.approx((-1, 1 - 2 * low))
    assert with_interval(2, np.full(50, 2.0), 10) == Estimate(2, no_interval=ALL_EQUAL)


def test_an_estimate_of_few_sentences_or_of_nothing_defined_has_no_ends():
    few = Estimate(0.5, no_interval="the figure comes from fewer than 10 sentences")
    assert with_interval(0.5, np.arange(41.0), FEWEST_SENTENCES - 1) == few
    undefined = with_interval(0.5, np.array([np.nan]), FEWEST_SENTENCES)
    assert undefined == Estimate(0.5, no_interval=ALL_UNDEFINED)


@given(st.lists(st.integers(0, 20)))
def test_sentences_are_numbered_without_gaps_in_their_order(codes):
    numbered, count = number_sentences(np.array(codes, dtype=np.int32))

    assert numbered.tolist() == [sorted(set(codes)).index(code) for code in codes]
    assert count == len(set(codes))

"""Variances over sentences and annotators, against hand-computed sums and plain loops."""

import numpy as np
import pytest
from scipy.stats import t

from evaluation.stats.agreement.alpha import alpha, count_units, ordinal_alpha, pair_values
from evaluation.stats.agreement.over_annotators import (
    LINEAR,
    NO_WEIGHTS,
    QUADRATIC,
    alpha_over_annotators,
    kappa_over_annotators,
    ratio_over_annotators,
)
from evaluation.stats.agreement.weighted_kappa import count_disagreements, weighted_kappa
from evaluation.stats.comparisons import compare_judgements, count_ties
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.ranking.systems import BY_WINS, rank_all
from evaluation.stats.resampling import (
    ALL_EQUAL,
    number_sentences,
    resampled_sums,
    sums_by,
)
from evaluation.stats.two_way import (
    TOO_FEW_ANNOTATORS,
    UNKNOWN_ANNOTATORS,
    two_way,
    two_way_of_pairs,
)
from evaluation.stats.wins import count_cells
from tests.evaluation.tables import judged
from tests.load.evaluation import made_up

# Cells (0, 0), (1, 0), (1, 1) and (2, 2) of sentences and annotators.
INFLUENCE = np.array([[1.0], [2.0], [-4.0], [1.0]])
SENTENCES = np.array([0, 1, 1, 2], dtype=np.int32)
ANNOTATORS = np.array([0, 0, 1, 2], dtype=np.int32)


def test_the_variance_over_both_is_sentences_plus_annotators_minus_cells():
    found = two_way(INFLUENCE, SENTENCES, ANNOTATORS, np.ones(4))

    # Sums by sentence are 1, -2, 1, by annotator 3, -4, 1; squares of cells are 1, 4, 16, 1. The
    # annotators' shares 2, 1, 1 are as good as 16 / 6 annotators.
    over_sentences = (1 + 4 + 1) * 3 / 2
    effective = 16 / 6
    over_annotators = (9 + 16 + 1) * effective / (effective - 1)
    assert found.sentences == pytest.approx(np.array([[over_sentences]]))
    assert found.both == pytest.approx(np.array([[over_sentences + over_annotators - 22]]))
    assert found.degrees == 2


def test_an_interval_over_both_is_of_students_t_and_within_bounds():
    found = two_way(INFLUENCE / 20, SENTENCES, ANNOTATORS, np.ones(4))
    assert found.errors is not None
    half = t.ppf(0.975, 2) * found.errors[0]

    wide = found.widen(Estimate(0.9, 0.8, 0.95), 0, (0.0, 1.0))

    assert wide.wide_low == pytest.approx(max(0, 0.9 - half))
    assert wide.wide_high == pytest.approx(min(1, 0.9 + half))
    # The interval over both contains that over sentences, which need not be symmetric.
    narrow = found.widen(Estimate(0.9, 0.9 - 2 * half, 0.95), 0, (-10.0, 1.0))
    assert narrow.wide_low == pytest.approx(0.9 - 2 * half)
    assert found.p_values(np.array([0.3])) == pytest.approx(2 * t.sf(0.3 / found.errors[0], 2))


@pytest.mark.parametrize(
    ("annotators", "why"),
    [([0, 0, 1, 1], TOO_FEW_ANNOTATORS), ([0, 1, 2, UNIDENTIFIED], UNKNOWN_ANNOTATORS)],
)
def test_two_annotators_or_an_unknown_one_are_no_sample(annotators, why):
    codes = np.array(annotators, dtype=np.int32)

    found = two_way(INFLUENCE, SENTENCES, codes, np.ones(4))

    assert found.both is None
    assert found.widen(Estimate(0.5, 0.4, 0.6), 0, (0, 1)).no_wide_interval == why


def test_elements_that_share_an_annotator_are_dependent_by_plain_loops():
    random = np.random.default_rng(2)
    left, right = random.integers(0, 5, (2, 60)).astype(np.int32)
    left, right = np.minimum(left, right), np.maximum(left, right)
    sentences = random.integers(0, 12, 60).astype(np.int32)
    influence = random.normal(size=60)

    found = two_way_of_pairs(influence, sentences, left, right)

    over_sentences = excess = 0.0
    for i in range(60):
        for j in range(60):
            product = influence[i] * influence[j]
            if sentences[i] == sentences[j]:
                over_sentences += product
            elif {left[i], right[i]} & {left[j], right[j]}:
                excess += product
    over_sentences *= 12 / 11
    assert found.sentences == pytest.approx(np.array([[over_sentences]]))
    expected = over_sentences + max(0, excess * 5 * 4 / 3**2)
    assert found.both == pytest.approx(np.array([[expected]]))


@pytest.mark.parametrize("method", BY_WINS)
def test_gradients_are_the_slopes_of_the_scores(method):
    counted = count_cells(made_up(300, seed=5)).by_sentence
    sums = counted.counts.sum(axis=0)
    scores = BY_WINS[method].scores
    slopes = []
    for column in range(len(sums)):
        step = np.zeros(len(sums))
        step[column] = 1e-3
        more, less = (scores(counted.tables((sums + each)[None]))[0] for each in (step, -step))
        slopes.append((more - less) / 2e-3)

    assert BY_WINS[method].gradient(counted.total()) == pytest.approx(
        np.transpose(slopes), abs=1e-8
    )


@pytest.mark.parametrize("method", BY_WINS)
def test_the_error_over_sentences_agrees_with_the_bootstrap(method):
    judgements = made_up(3000, seed=1)
    cells = count_cells(judgements)
    total = cells.by_sentence.total()
    influence = cells.counts @ BY_WINS[method].gradient(total).T

    found = two_way(influence, cells.sentences, cells.annotators, cells.counts.sum(axis=1))

    errors = np.sqrt(np.diagonal(found.sentences))
    scores = BY_WINS[method].scores(cells.by_sentence.resampled(resamples=2000, seed=3))
    assert errors == pytest.approx(scores.std(axis=0), rel=0.1)


@pytest.mark.parametrize("one_tied", [NO_WEIGHTS, LINEAR, QUADRATIC])
@pytest.mark.parametrize("kind", ["intra", "inter"])
def test_the_error_of_kappa_over_sentences_agrees_with_the_bootstrap(kind, one_tied):
    judgements = made_up(6000, seed=4)
    comparisons = compare_judgements(judgements)
    ties = count_ties(judgements.candidate_ranks)

    found = kappa_over_annotators(judgements, comparisons.of_kind(kind), ties, one_tied)

    (error,) = np.sqrt(np.diagonal(found.sentences))
    codes, count = number_sentences(judgements.sentences)
    counts = count_disagreements(comparisons, ties, codes, count)
    sums = resampled_sums(counts, resamples=2000, seed=1)
    assert error == pytest.approx(weighted_kappa(sums, kind, one_tied).std(), rel=0.1)


@pytest.mark.parametrize(("measure", "one_tied"), [(alpha, NO_WEIGHTS), (ordinal_alpha, QUADRATIC)])
def test_the_error_of_alpha_over_sentences_agrees_with_the_bootstrap(measure, one_tied):
    judgements = made_up(6000, seed=4)

    found = alpha_over_annotators(judgements, pair_values(judgements), one_tied)

    (error,) = np.sqrt(np.diagonal(found.sentences))
    counts = count_units(judgements, *number_sentences(judgements.sentences))
    alphas = measure(resampled_sums(counts, resamples=2000, seed=1))
    assert error == pytest.approx(alphas.std(), rel=0.1)


@pytest.mark.parametrize("kind", ["intra", "inter"])
def test_the_error_of_a_ratio_of_pairs_agrees_with_the_bootstrap(kind):
    judgements = made_up(6000, seed=4)
    pairs = compare_judgements(judgements).of_kind(kind)
    differ = pairs.compared - pairs.agree

    found = ratio_over_annotators(judgements, pairs, pairs.reversed, differ)

    (error,) = np.sqrt(np.diagonal(found.sentences))
    codes, count = number_sentences(judgements.sentences)
    where = codes[pairs.rows]
    sums = resampled_sums(
        np.stack([sums_by(where, of, count) for of in (pairs.reversed, differ)], axis=1),
        resamples=2000,
        seed=1,
    )
    assert error == pytest.approx((sums[:, 0] / sums[:, 1]).std(), rel=0.1)


def test_pairs_that_are_all_equal_say_nothing_of_other_annotators():
    judgements = made_up(3000, seed=2)
    pairs = compare_judgements(judgements).of_kind("inter")

    found = ratio_over_annotators(judgements, pairs, pairs.compared, pairs.compared)

    assert (found.both, found.undefined) == (None, ALL_EQUAL)


def test_one_annotator_gives_no_interval_over_both():
    rows = [(f"{number:02}", "jana", [1 + number % 2, 2 - number % 2]) for number in range(20)]

    ranking = rank_all(judged(rows, systems="AB"))["ratio_of_wins"]

    assert ranking.only_sentences == TOO_FEW_ANNOTATORS
    assert {system.score.wide_low for system in ranking.systems} == {None}
    assert {system.score.no_wide_interval for system in ranking.systems} == {TOO_FEW_ANNOTATORS}

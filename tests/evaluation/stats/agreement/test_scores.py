import numpy as np
import pytest
from scipy.stats import pearsonr

from evaluation.stats.agreement.labels import NO_COMMON_ITEMS, NO_REPEATS
from evaluation.stats.agreement.scores import EQUAL_SCORES, measure_scores
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.resampling import ALL_EQUAL

NAN = float("nan")


def judged(rows):
    """Item, annotator and score of each row; an item is a sentence."""
    items, annotators, scores = np.array(rows, dtype=float).reshape(-1, 3).T
    codes = items.astype(np.int32)
    return ItemJudgements(codes, annotators.astype(np.int32), codes), scores


def table(scores):
    """A row an annotator, a column an item; NaN if the annotator did not score it."""
    return [(item, who, score) for who, row in enumerate(scores) for item, score in enumerate(row)]


def test_alpha_is_that_of_krippendorffs_example():
    # Krippendorff (2011), section D: α of interval data is .849.
    found = measure_scores(
        *judged(
            table(
                [
                    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
                    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
                    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
                    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
                ]
            )
        )
    )

    assert round(vars(found.alpha)["value"], 3) == 0.849
    assert (found.items, found.values) == (11, 40)
    assert found.intra.correlation.undefined == NO_REPEATS


def test_each_annotator_counts_once_in_alpha():
    once = [(0, 0, 10), (0, 1, 20), (1, 0, 60), (1, 1, 50)]

    found = measure_scores(*judged([*once, (0, 0, 90), (1, UNIDENTIFIED, 0), (2, 0, 5)]))

    assert found.alpha.value == measure_scores(*judged(once)).alpha.value
    # By hand: D_o = 100; D_e = 2 · 425 · 4 / 3.
    assert found.alpha.value == pytest.approx(1 - 100 / (2 * 425 * 4 / 3))
    assert (found.items, found.values) == (2, 4)


def test_pairs_count_in_both_orders():
    random = np.random.default_rng(0)
    truth = random.normal(50, 20, 60)
    first, again = truth + random.normal(0, 5, (2, 60))
    rows = [(item, 0, score) for scores in (first, again) for item, score in enumerate(scores)]

    found = measure_scores(*judged(rows)).intra

    both = np.concatenate([first, again]), np.concatenate([again, first])
    assert (found.pairs, found.items) == (60, 60)
    assert found.correlation.value == pytest.approx(pearsonr(*both).statistic)
    assert found.difference.value == pytest.approx(np.abs(first - again).mean())


def test_intervals_hold_the_truth_and_are_wider_for_other_annotators():
    random = np.random.default_rng(1)
    truth = random.normal(0, 1, 400)
    truth = (truth - truth.mean()) / truth.std()
    own_means = np.array([[-1], [-0.5], [0], [0.5], [1]])
    scores = truth + random.normal(0, 0.5, (5, 400)) + own_means

    found = measure_scores(*judged(table(scores)))

    # The variance of items is 1; within items it is 0.25 + 0.625, within all scores 0.25 + 0.5.
    for estimate in (found.alpha, found.inter.correlation):
        ends = vars(estimate)
        assert ends["value"] == pytest.approx(1 - 0.875 / 1.75, abs=0.02)
        assert ends["wide_low"] < ends["low"] < ends["value"] < ends["high"] < ends["wide_high"]
    ends = vars(found.inter.difference)
    assert ends["wide_low"] < ends["low"] < ends["value"] < ends["high"] < ends["wide_high"]


def test_perfect_agreement_says_nothing_of_other_annotators():
    scores = np.arange(30.0)

    found = measure_scores(*judged(table([scores, scores, scores])))

    ends = vars(found.inter.correlation)
    # Wilson's interval of 30 sentences.
    assert (ends["value"], ends["high"]) == (1, 1)
    assert 0.7 < ends["low"] < 1
    assert ends["no_wide_interval"] == ALL_EQUAL
    assert vars(found.alpha)["value"] == 1
    assert found.inter.difference.no_interval == ALL_EQUAL


def test_equal_scores_have_no_correlation():
    found = measure_scores(*judged([(0, 0, 70), (0, 0, 70), (0, 1, 70), (1, 0, 70), (1, 1, 70)]))

    assert found.alpha.undefined == EQUAL_SCORES
    assert found.inter.correlation.undefined == EQUAL_SCORES
    assert found.intra.difference.value == 0


def test_without_pairs_all_figures_are_undefined():
    found = measure_scores(*judged([(0, 0, 70), (1, 1, NAN), (1, 0, 20)]))

    assert found.alpha.undefined == NO_COMMON_ITEMS
    assert found.inter.difference.undefined == NO_COMMON_ITEMS
    assert found.intra.difference.undefined == NO_REPEATS

from itertools import product

import numpy as np
import pytest

from evaluation.meta import soft_accuracy
from evaluation.meta.soft_accuracy import SegmentScores, sign_flip_p, soft_pairwise_accuracy

# mt-metrics-eval: three segments of two systems.
HUMAN = np.array([[1.0, 2, 3], [2, 3, 4]])
METRIC = np.array([[[2.0, 2, 4], [1, 3, 5]]])


def test_published_example_with_the_published_draws():
    found = soft_pairwise_accuracy(SegmentScores(("m",), HUMAN, METRIC), equal="whole")
    assert (found.draws, found.seed) == (1000, 4)
    assert found.values == pytest.approx([0.872])


@pytest.mark.parametrize(("equal", "expected"), [("whole", 0.875), ("half", 0.75)])
def test_all_sign_patterns_of_the_example(monkeypatch, equal, expected):
    class Patterns:
        """Each of the eight patterns of signs once, in place of random numbers."""

        def random(self, shape, dtype):
            return np.array(list(product([0.2, 0.8], repeat=3)), dtype=dtype)

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Patterns())
    found = soft_pairwise_accuracy(SegmentScores(("m",), HUMAN, METRIC), equal=equal, draws=8)
    assert found.values == [expected]


def test_the_order_of_systems_does_not_matter():
    random = np.random.default_rng(2)
    human = random.integers(0, 3, (5, 6)).astype(float)
    scores = random.integers(0, 3, (2, 5, 6)).astype(float)
    forth = soft_pairwise_accuracy(SegmentScores(("a", "b"), human, scores))
    back = soft_pairwise_accuracy(SegmentScores(("a", "b"), human[::-1], scores[:, ::-1]))
    assert forth.values == pytest.approx(back.values)


def test_identical_outputs_have_p_one_half_and_as_published_one():
    scores = np.random.default_rng(1).normal(size=(1, 1, 50)).repeat(2, axis=1)
    assert sign_flip_p(scores, draws=100, seed=4, equal="half") == 0.5
    assert sign_flip_p(scores, draws=100, seed=4, equal="whole") == 1


def test_a_clear_difference_is_sure_in_both_directions(monkeypatch):
    monkeypatch.setattr(soft_accuracy, "DRAWS_AT_ONCE", 7)
    scores = np.random.default_rng(1).normal(size=(1, 3, 200)) + np.array([[0], [0], [2]])
    better_second = sign_flip_p(scores, draws=100, seed=4, equal="half")[0, 1]
    assert better_second == 1
    assert sign_flip_p(scores[:, ::-1], draws=100, seed=4, equal="half")[0, 0] == 0


def test_results_do_not_depend_on_how_many_draws_are_in_memory(monkeypatch):
    scores = np.random.default_rng(1).normal(size=(2, 3, 9))
    together = sign_flip_p(scores, draws=50, seed=4, equal="half")
    monkeypatch.setattr(soft_accuracy, "DRAWS_AT_ONCE", 7)
    assert (sign_flip_p(scores, draws=50, seed=4, equal="half") == together).all()


def test_segments_that_people_did_not_judge_for_all_systems_are_left_out():
    random = np.random.default_rng(2)
    human, scores = random.normal(size=(3, 20)), random.normal(size=(1, 3, 20))
    expected = soft_pairwise_accuracy(SegmentScores(("m",), human[:, 3:], scores[..., 3:]))
    human[1, :3] = np.nan
    found = soft_pairwise_accuracy(SegmentScores(("m",), human, scores))
    assert (found.segments, found.left_out) == (17, 3)
    assert found.values == expected.values


def test_chosen_systems_are_compared_in_all_segments_judged_for_them():
    random = np.random.default_rng(2)
    human, scores = random.normal(size=(4, 20)), random.normal(size=(2, 4, 20))
    human[0, 5:] = np.nan
    human[:, 19] = np.nan
    segments = SegmentScores(("a", "b"), human, scores)
    every = soft_pairwise_accuracy(segments)
    assert (every.segments, every.left_out) == (5, 14)
    of_three = soft_pairwise_accuracy(segments.select(np.array([False, True, True, True])))
    assert (of_three.segments, of_three.left_out) == (19, 0)
    expected = soft_pairwise_accuracy(SegmentScores(("a", "b"), human[1:, :19], scores[:, 1:, :19]))
    assert of_three.values == pytest.approx(expected.values)
    alone = soft_pairwise_accuracy(segments.select(np.array([True, False, False, False])))
    assert np.isnan(alone.values).all()


def test_a_metric_that_lacks_a_score_has_no_accuracy():
    scores = np.concatenate([METRIC, METRIC])
    scores[1, 0, 2] = np.nan
    values = soft_pairwise_accuracy(SegmentScores(("a", "lacking"), HUMAN, scores)).values
    assert np.isnan(values).tolist() == [False, True]


def test_without_a_common_segment_there_is_no_accuracy():
    human = np.array([[1.0, np.nan], [np.nan, 2]])
    found = soft_pairwise_accuracy(SegmentScores(("m",), human, np.ones((1, 2, 2))))
    assert found.segments == 0
    assert np.isnan(found.values).all()


def test_it_refuses_scores_that_do_not_fit():
    with pytest.raises(ValueError, match="systems × segments"):
        SegmentScores(("m",), HUMAN, METRIC[..., :2])

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reuse.tuning.objectives import SummedStatistics, bleu, ratio
from evaluation.reuse.tuning.powell import choose, envelope, maximise, search_lines, value_of


def problem(seed: int, *, sentences: int, width: int, whole: bool):
    """Return 3 features, an objective and a random generator.

    Lines of whole features are often parallel, or meet in one place. Others have equal hypotheses.
    """
    random = np.random.default_rng(seed)
    features = random.integers(-2, 3, (sentences, width, 3)).astype(float)
    if not whole:
        features = random.normal(size=features.shape)
        features[:, -1] = features[:, 0]
    wins = random.integers(0, 4, (sentences, width))
    statistics = np.stack([wins, wins + random.integers(0, 4, (sentences, width))], axis=2)
    return features, SummedStatistics(statistics.astype(float), ratio), random


def best_on_line(features, objective, weights, direction):
    """Try a point between every two places where any two lines of a sentence meet, in fractions."""
    lines = [
        [(Fraction(high), Fraction(steep)) for high, steep in zip(highs, steeps, strict=True)]
        for highs, steeps in zip(features @ weights, features @ direction, strict=True)
    ]
    meets = {
        (high - other) / (flat - steep)
        for of_sentence in lines
        for high, steep in of_sentence
        for other, flat in of_sentence
        if flat > steep
    }
    ends = sorted(meets) or [Fraction(0)]
    tried = [ends[0] - 1, ends[-1] + 1]
    tried += [(left + right) / 2 for left, right in pairwise(ends) if right - left > 1e-7]
    values = []
    for place in tried:
        scores = [[high + place * steep for high, steep in each] for each in lines]
        chosen = [of_sentence.index(max(of_sentence)) for of_sentence in scores]
        values.append(value_of(objective, np.array(chosen)))
    return max(values)


@given(
    seed=st.integers(0, 10_000),
    sentences=st.integers(1, 8),
    width=st.integers(1, 6),
    whole=st.booleans(),
)
def test_a_line_search_finds_the_best_of_all_intervals(seed, sentences, width, whole):
    features, objective, random = problem(seed, sentences=sentences, width=width, whole=whole)
    weights = random.integers(-3, 4, 3).astype(float)
    directions = random.integers(-3, 4, (4, 3)).astype(float)

    places, values = search_lines(features, objective, weights, directions)

    for direction, place, value in zip(directions, places, values, strict=True):
        assert value == pytest.approx(best_on_line(features, objective, weights, direction))
        if not whole:
            there = choose(features, weights + place * direction)
            assert value_of(objective, there) == pytest.approx(value)


@pytest.mark.parametrize("at_once", [1, 60])
def test_lines_in_parts_are_searched_alike(at_once, monkeypatch):
    features, objective, random = problem(3, sentences=6, width=5, whole=False)
    weights, directions = random.normal(size=3), random.normal(size=(5, 3))
    places, values = search_lines(features, objective, weights, directions)

    monkeypatch.setattr("evaluation.reuse.tuning.powell.LINES_AT_ONCE", at_once)
    in_parts = search_lines(features, objective, weights, directions)

    assert in_parts[0] == pytest.approx(places)
    assert in_parts[1].tolist() == values.tolist()


def test_the_envelope_of_three_lines():
    # y = 0, y = x - 1 and y = -x - 1: the first is the highest from -1 to 1.
    first, corners = envelope(np.array([[0.0, -1.0, -1.0]]), np.array([[[0.0, 1.0, -1.0]]]))

    assert first.tolist() == [[2]]
    assert corners.places.tolist() == [-1.0, 1.0]
    assert corners.before.tolist() == [2, 0]
    assert corners.after.tolist() == [0, 1]


def test_three_lines_that_meet_in_one_place_have_one_corner():
    _, corners = envelope(np.zeros((1, 3)), np.array([[[0.0, 1.0, -1.0]]]))

    assert corners.places.tolist() == [0.0]
    assert (corners.before.tolist(), corners.after.tolist()) == ([2], [1])


def test_the_first_of_equal_hypotheses_is_chosen():
    features = np.array([[[1.0], [1.0], [0.0]]])
    first, corners = envelope(features @ [1.0], (features @ [1.0])[None])

    assert choose(features, np.array([1.0])).tolist() == [0]
    assert first.tolist() == [[2]]
    assert corners.after.tolist() == [0]


def test_an_undefined_objective_is_never_chosen():
    # Only the second hypothesis has anything to compare.
    objective = SummedStatistics(np.array([[[0.0, 0.0], [1.0, 4.0]]]), ratio)

    _, values = search_lines(np.array([[[0.0], [1.0]]]), objective, np.ones(1), np.ones((1, 1)))

    assert values.tolist() == [0.25]


def test_the_search_ends_where_no_line_is_better():
    features, objective, random = problem(1, sentences=30, width=8, whole=False)

    found = maximise(features, objective, np.ones(3), random)

    assert found.value == value_of(objective, choose(features, found.weights))
    assert found.value > value_of(objective, choose(features, np.ones(3)))
    axes = np.eye(3)
    assert max(search_lines(features, objective, found.weights, axes)[1]) <= found.value + 1e-6
    assert np.linalg.norm(found.weights) == pytest.approx(1)


def test_bleu_is_zero_without_a_match_and_defined_without_ngrams():
    sums = np.array([[4, 3, 2, 0, 4, 3, 2, 1, 4], [1, 0, 0, 0, 1, 0, 0, 0, 1], [0] * 9])

    assert bleu(sums.astype(float)).tolist() == [0, 0, 0]

"""Ridge regression from sums."""

import numpy as np
import pytest

from evaluation.reuse.ridge import apply, moments


def data(rows: int = 50) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    features = random.normal(3, 2, (rows, 3)).astype(np.float32)
    targets = features @ np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.5]]) + np.array([4.0, -1.0])
    return features, targets


def test_without_a_penalty_the_regression_is_that_of_least_squares():
    features, targets = data()

    found = moments(features, targets, np.ones(50)).fit(0)

    assert found == pytest.approx(np.array([[1, 0], [0, 2], [-1, 0.5], [4, -1]]), abs=1e-4)
    assert apply(found, features) == pytest.approx(targets, abs=1e-4)


def test_a_great_penalty_leaves_the_weighted_mean():
    features, targets = data()
    weights = np.arange(50.0)

    found = moments(features, targets, weights).fit(1e12)

    assert apply(found, features) == pytest.approx(
        np.tile(np.average(targets, axis=0, weights=weights), (50, 1)), abs=1e-4
    )


def test_the_penalty_is_that_of_standardised_features():
    # One feature of variance 1 and mean 0 in four rows: slope 4 · cov / (4 + penalty).
    features = np.array([[-1.0], [1.0], [-1.0], [1.0]], dtype=np.float32)
    targets = np.array([[0.0], [2.0], [0.0], [2.0]])

    assert moments(features, targets, np.ones(4)).fit(4)[0, 0] == pytest.approx(0.5)
    assert moments(10 * features, targets, np.ones(4)).fit(4)[0, 0] == pytest.approx(0.05)


def test_a_constant_feature_has_no_slope():
    features, targets = data()
    features[:, 1] = 7

    assert moments(features, targets, np.ones(50)).fit(1)[1] == pytest.approx(0)


def test_leaving_out_a_group_is_a_subtraction():
    features, targets = data()
    weights = np.linspace(1, 2, 50)
    everything = moments(features, targets, weights)
    group = moments(features[:20], targets[:20], weights[:20])
    rest = moments(features[20:], targets[20:], weights[20:])

    assert (everything - group).fit(3) == pytest.approx(rest.fit(3), abs=1e-6)
    assert (group + rest).fit(3) == pytest.approx(everything.fit(3), abs=1e-6)


def test_no_rows_give_no_prediction():
    assert moments(np.zeros((0, 2), dtype=np.float32), np.zeros((0, 1)), np.zeros(0)).fit(1) == (
        pytest.approx(0)
    )


def test_each_of_several_penalties_gives_what_it_gives_alone() -> None:
    random = np.random.default_rng(0)
    features = random.normal(size=(40, 3)).astype(np.float32)
    found = moments(features, random.normal(size=(40, 2)), random.random(40))
    penalties = (0.5, 10.0, 1000.0)

    assert found.fit_each(penalties) == pytest.approx(np.stack([*map(found.fit, penalties)]))

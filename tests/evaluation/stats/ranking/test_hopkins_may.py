import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from evaluation.stats.ranking.hopkins_may import (
    NOISE,
    NoAbility,
    abilities,
    abilities_and_radius,
    why_no_ability,
)
from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.wins import Wins


def one_table(wins, ties=None):
    wins = np.array([wins], dtype=float)
    return Wins(wins, np.zeros(wins.shape) if ties is None else np.array([ties], dtype=float))


def log_posterior(ability, radius, table):
    """By the definition of the model, by plain loops; also of many abilities (last axis)."""
    total = norm.logpdf(ability).sum(axis=0)
    for x in range(len(ability)):
        for y in range(len(ability)):
            ahead = ability[x] - ability[y]
            upper, lower = norm.cdf([(radius - ahead) / NOISE, (-radius - ahead) / NOISE])
            total = total + table.wins[0, x, y] * np.log(1 - upper)
            if x < y and table.ties[0, x, y]:
                total = total + table.ties[0, x, y] * np.log(upper - lower)
    return total


def grid_of_difference(table, radius):
    """The posterior mean and standard deviation of half the difference of two systems."""
    halves = np.linspace(-3, 3, 2001)
    # The prior of the mean of the two does not matter.
    logs = log_posterior(np.stack([halves, -halves]), radius, table)
    weights = np.exp(logs - logs.max())
    mean = np.average(halves, weights=weights)
    return mean, np.sqrt(np.average((halves - mean) ** 2, weights=weights))


def test_the_abilities_have_the_largest_posterior():
    random = np.random.default_rng(0)
    wins = random.integers(0, 8, (3, 3)) * (1 - np.eye(3))
    ties = np.triu(random.integers(0, 5, (3, 3)), 1)
    table = one_table(wins, ties + ties.T)
    expected = minimize(
        lambda each: -log_posterior(each[:3], each[3], table), [0, 0, 0, 0.5], tol=1e-9
    )

    assert abilities_and_radius(table)[0] == pytest.approx(expected.x, abs=1e-4)


def test_a_system_that_always_wins_has_a_finite_ability():
    better, worse = abilities(one_table([[0, 10], [0, 0]]))[0]

    assert better == pytest.approx(-worse)
    # Where the slope of the likelihood is that of the prior.
    slope = 10 * norm.pdf(2 * better / NOISE) / norm.cdf(2 * better / NOISE) / NOISE
    assert better == pytest.approx(slope)


def test_abilities_of_the_model_are_found_again():
    random = np.random.default_rng(1)
    truth, radius = np.array([-0.6, -0.1, 0.2, 0.5]), 0.4
    x, y = np.triu_indices(4, 1)
    apart = random.normal((truth[x] - truth[y])[:, None], NOISE, (6, 2000))
    wins, ties = np.zeros((2, 4, 4))
    wins[x, y], wins[y, x] = (apart > radius).sum(axis=1), (apart < -radius).sum(axis=1)
    ties[x, y] = ties[y, x] = (np.abs(apart) <= radius).sum(axis=1)

    found = abilities_and_radius(one_table(wins, ties))[0]

    assert found == pytest.approx([*truth, radius], abs=0.06)


def test_why_systems_have_no_ability():
    tied = one_table(np.zeros((3, 3)), [[0, 4, 0], [4, 0, 0], [0, 0, 0]])

    assert np.isnan(abilities(tied)).all()
    assert why_no_ability(tied) == [
        NoAbility.ALL_TIED,
        NoAbility.ALL_TIED,
        NoScore.NEVER_COMPARED,
    ]
    assert np.isnan(abilities(one_table([[0, 2, 0], [1, 0, 0], [0, 0, 0]]))).tolist() == [
        [False, False, True]
    ]


# All differences sampled one by one, and sums sampled at once.

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
from evaluation.stats.ranking.hopkins_may_samples import rank_by_samples, sample_abilities
from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.ranking.systems import rank_all
from evaluation.stats.wins import Wins
from tests.evaluation.tables import judged
from tests.evaluation.thesis_texts import first_half, read_thesis


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
@pytest.mark.parametrize(("won", "lost", "tied"), [(6, 2, 3), (120, 60, 70), (0, 0, 5), (3, 60, 0)])
def test_samples_have_the_posterior_of_two_systems(won, lost, tied):
    table = one_table([[0, won], [lost, 0]], [[0, tied], [tied, 0]])
    mean, deviation = grid_of_difference(table, 0.4)

    found = sample_abilities(table, radius=0.4, samples=1000, seed=2)

    assert np.abs(found.sum(axis=1)).max() < 1e-9
    assert found[:, 0].mean() == pytest.approx(mean, abs=0.15 * deviation)
    assert found[:, 0].std() == pytest.approx(deviation, rel=0.08)


def test_samples_of_judgements_give_ranks_and_intervals():
    random = np.random.default_rng(3)
    rows = []
    for number in range(60):
        quality = random.normal([1.2, 0, 0.1], 1)
        rows.append((f"{number:02}", "jana", ((-quality).argsort().argsort() + 1).tolist()))

    found = rank_by_samples(judged(rows, systems="ABCD"), samples=500)
    again = rank_by_samples(judged(rows, systems="ABCD"), samples=500)

    assert found == again
    best, *others, never = found.systems
    assert (best.system, best.rank, best.ranks) == ("A", 1, (1, 1))
    assert {each.ranks for each in others} == {(2, 3)}
    assert (never.system, never.ability, never.undefined) == (
        "D",
        None,
        NoScore.NEVER_COMPARED.value,
    )
    ends = vars(best)
    assert ends["low"] < ends["ability"] < ends["high"]
    # Without ties.
    assert found.radius == 0


def test_a_radius_of_nothing_has_no_ties():
    with pytest.raises(ValueError, match="radius"):
        sample_abilities(one_table([[0, 1], [1, 0]], [[0, 2], [2, 0]]), radius=0, samples=1, seed=0)


def test_only_ties_have_no_samples():
    found = rank_by_samples(judged([("s", "jana", [1, 1])], systems="AB"), samples=10)

    assert found.radius is None
    assert {each.undefined for each in found.systems} == {NoAbility.ALL_TIED.value}


@pytest.mark.shared
def test_the_thesis_systems_have_equal_abilities_either_way(shared):
    judgements, _ = read_thesis(first_half(shared))

    sampled = {each.system: each for each in rank_by_samples(judgements, samples=500).systems}
    ranked = rank_all(judgements, methods=["hopkins_may"])["hopkins_may"].systems

    assert [each.system for each in ranked[:3]] == ["onlineB", "cu-depfix", "uedin-unconstrained"]
    for row in ranked:
        value, one = vars(row.score), vars(sampled[row.system])
        assert one["ability"] == pytest.approx(value["value"], abs=0.003)
        # Comparisons of one sentence are not independent.
        assert value["high"] - value["low"] > 1.5 * (one["high"] - one["low"])

import choix
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog, minimize

from evaluation.stats.ranking.bradley_terry import NoMaximum, strengths, why_no_strengths
from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.wins import Wins


def one_table(wins, ties=None):
    wins = np.array([wins], dtype=float)
    return Wins(wins, np.zeros(wins.shape) if ties is None else np.array([ties], dtype=float))


@st.composite
def tables(draw, most=6):
    """Two to four systems, and how often each pair won, lost and tied."""
    systems = draw(st.integers(2, 4))
    counts = arrays(np.float64, (2, systems, systems), elements=st.integers(0, most))
    wins, ties = draw(counts) * (1 - np.eye(systems))
    ties = np.triu(ties) + np.triu(ties).T
    return one_table(wins, ties)


def surprise(parameters, table):
    """Minus the logarithm of the likelihood by Davidson's definition, by plain loops."""
    *theta, log_nu = parameters
    total = 0.0
    for x, left in enumerate(theta):
        for y, right in enumerate(theta):
            if x < y:
                weights = np.array([left, right, log_nu + (left + right) / 2])
                outcomes = [table.wins[0, x, y], table.wins[0, y, x], table.ties[0, x, y]]
                total -= outcomes @ (weights - np.logaddexp.reduce(weights))
    return total


def has_maximum(table):
    """Whether no direction of θ and ln ν leaves all outcomes observed as likely, or more so.

    By linear programming, straight from the definition: each outcome observed has to grow as fast
    as the two others of its pair; is any direction but "all systems alike" possible?
    """
    systems = table.wins.shape[1]
    ties = table.ties.sum() > 0
    rows = []
    for x in range(systems):
        for y in range(systems):
            win, loss, tie = np.zeros((3, systems + 1))
            win[x], loss[y] = 1, 1
            tie[x], tie[y], tie[-1] = 0.5, 0.5, 1
            others = [loss, tie] if ties else [loss]
            if table.wins[0, x, y]:
                rows += [other - win for other in others]
            if x < y and table.ties[0, x, y]:
                rows += [win - tie, loss - tie]
    fixed = np.zeros(systems + 1)
    fixed[0] = 1
    for index in range(systems + ties):
        for sign in (1, -1):
            goal = np.zeros(systems + 1)
            goal[index] = sign
            bounds = [(-1, 1)] * systems + [(-1, 1) if ties else (0, 0)]
            found = linprog(goal, np.array(rows or [goal * 0]), np.zeros(max(1, len(rows))),
                            fixed[None, :], [0], bounds)  # fmt: skip
            if found.fun < -1e-6:
                return False
    return True


def test_two_systems_differ_by_the_logarithm_of_their_odds():
    better, worse = strengths(one_table([[0, 6], [2, 0]]))[0]

    assert better - worse == pytest.approx(np.log(3))
    assert better + worse == pytest.approx(0)


@given(arrays(np.float64, (4, 4), elements=st.integers(1, 50)))
def test_without_ties_it_agrees_with_choix(wins):
    np.fill_diagonal(wins, 0)
    games = [(x, y) for x in range(4) for y in range(4) for _ in range(int(wins[x, y]))]

    assert strengths(one_table(wins))[0] == pytest.approx(
        choix.ilsr_pairwise(4, games, max_iter=1000), abs=1e-6
    )


@settings(deadline=None)
@given(tables())
def test_with_ties_it_agrees_with_a_general_optimiser(table):
    computed = strengths(table)[0]
    assume(not np.isnan(computed).any() and table.ties.any())

    found = minimize(surprise, np.zeros(len(computed) + 1), args=(table,), options={"gtol": 1e-9})

    best = found.x[:-1] - found.x[:-1].mean()
    assert computed == pytest.approx(best, abs=1e-3)


@settings(deadline=None)
@given(tables(most=1) | tables(most=2))
# Newton's steps would grow without bound here if they were not shortened.
@example(one_table([[0, 0, 2], [1, 0, 0], [0, 7, 0]], [[0, 0, 0], [0, 0, 356], [0, 356, 0]]))
def test_it_is_defined_exactly_where_the_likelihood_has_a_maximum(table):
    assume((table.compared[0].sum(axis=1) > 0).all())

    assert np.isnan(strengths(table)[0]).all() == (not has_maximum(table))


def test_it_copes_with_systems_far_apart():
    wins = [[0, 100_000, 100_000], [1, 0, 100_000], [0, 1, 0]]

    first, second, third = strengths(one_table(wins))[0]

    assert first - second == pytest.approx(np.log(1e5), rel=0.1)
    assert second - third == pytest.approx(np.log(1e5), rel=0.1)


@pytest.mark.parametrize(
    ("wins", "ties", "why"),
    [
        # B never won nor tied.
        ([[0, 5], [0, 0]], [[0, 0], [0, 0]], NoMaximum.APART),
        # A and B never met C and D.
        (
            [[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 1, 0]],
            np.zeros((4, 4)),
            NoMaximum.APART,
        ),
        ([[0, 0], [0, 0]], [[0, 9], [9, 0]], NoMaximum.TOO_MANY_TIES),
        ([[0, 3], [0, 0]], [[0, 9], [9, 0]], NoMaximum.TOO_MANY_TIES),
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], NoScore.NEVER_COMPARED),
    ],
)
def test_it_says_why_there_are_no_strengths(wins, ties, why):
    table = one_table(wins, ties)

    assert np.isnan(strengths(table)).all()
    assert why_no_strengths(table) == [why] * len(wins)


def test_a_system_never_compared_leaves_the_others_alone():
    table = one_table([[0, 6, 0], [2, 0, 0], [0, 0, 0]])

    first, second, absent = strengths(table)[0]

    assert first - second == pytest.approx(np.log(3))
    assert np.isnan(absent)
    assert why_no_strengths(table)[2] is NoScore.NEVER_COMPARED


def test_ties_of_one_text_change_nothing():
    wins = np.array([[[0, 3, 4], [2, 0, 5], [1, 2, 0]]], dtype=float)
    judged = np.array([[[0, 1, 2], [1, 0, 1], [2, 1, 0]]], dtype=float)
    same = np.array([[[0, 9, 0], [9, 0, 4], [0, 4, 0]]], dtype=float)

    found = strengths(Wins(wins, judged + same, same))

    assert found == pytest.approx(strengths(Wins(wins, judged)))
    assert found != pytest.approx(strengths(Wins(wins, judged + same)))

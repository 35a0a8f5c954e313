import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.ranking.scores import (
    NoScore,
    expected_wins,
    ratio_of_wins,
    ratio_with_ties,
    why_no_score,
)
from evaluation.stats.wins import Wins, count_wins
from tests.evaluation.tables import judged, tables_with_systems

# A beats B 3 : 1 with 4 ties and C 1 : 0; D met no other system; E ties with A only.
WINS = [[0, 3, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0] * 5, [0] * 5]
TIES = [[0, 4, 0, 0, 2], [4, 0, 0, 0, 0], [0] * 5, [0] * 5, [2, 0, 0, 0, 0]]
TABLE = Wins(np.array([WINS], dtype=float), np.array([TIES], dtype=float))
NAN = pytest.approx(np.nan, nan_ok=True)


def test_the_ratio_of_wins_leaves_out_ties():
    assert ratio_of_wins(TABLE)[0].tolist() == [4 / 5, 1 / 4, 0, NAN, NAN]


def test_the_ratio_with_ties_counts_them_as_wins():
    assert ratio_with_ties(TABLE)[0].tolist() == [10 / 11, 5 / 8, 0, NAN, 1]


def test_expected_wins_are_the_mean_over_opponents_met():
    assert expected_wins(TABLE)[0].tolist() == [(3 / 4 + 1) / 2, 1 / 4, 0, NAN, NAN]


def test_they_say_why_a_system_has_no_score():
    assert why_no_score(TABLE)[3:] == [NoScore.NEVER_COMPARED, NoScore.ALWAYS_TIED]


@given(tables_with_systems())
def test_they_agree_with_plain_loops(table):
    rows, made = table
    total = count_wins(judged(rows, systems="ABC", made=made)).total()
    wins, ties = total.wins[0].tolist(), total.ties[0].tolist()

    for x in range(3):
        won, lost, tied = sum(wins[x]), sum(row[x] for row in wins), sum(ties[x])
        shares = [
            wins[x][y] / (wins[x][y] + wins[y][x]) for y in range(3) if wins[x][y] + wins[y][x]
        ]
        assert ratio_of_wins(total)[0, x] == (won / (won + lost) if won + lost else NAN)
        every = won + lost + tied
        assert ratio_with_ties(total)[0, x] == ((won + tied) / every if every else NAN)
        mean = pytest.approx(sum(shares) / len(shares)) if shares else NAN
        assert expected_wins(total)[0, x] == mean

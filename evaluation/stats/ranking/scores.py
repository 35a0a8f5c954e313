"""Scores of systems: shares of wins, for many tables of wins at once.

Definitions: method.md, "Systems"; ties counted as until WMT 2011 (Bojar et al. 2011, "A Grain of
Salt for the WMT Manual Evaluation", section 2); expected wins: Koehn (2012), "Simulating Human
Judgment in Machine Translation Evaluation Campaigns".
"""

from enum import Enum

import numpy as np

from evaluation.stats.resampling import Floats, shares
from evaluation.stats.wins import Wins


class NoScore(Enum):
    """Why a system has no score."""

    NEVER_COMPARED = "the system was never judged together with another one"
    ALWAYS_TIED = "the system tied in every comparison"


def ratio_of_wins(tables: Wins) -> Floats:
    """W / (W + L): T × systems, NaN where a system never won nor lost."""
    won = tables.wins.sum(axis=2)
    return shares(won, won + tables.losses.sum(axis=2))


def ratio_with_ties(tables: Wins) -> Floats:
    """(W + T) / (W + T + L): T × systems, NaN where a system was never compared."""
    good = (tables.wins + tables.ties).sum(axis=2)
    return shares(good, tables.compared.sum(axis=2))


def expected_wins(tables: Wins) -> Floats:
    """The mean of w / (w + l) over opponents with whom w + l > 0: T × systems, NaN without any."""
    ratios = shares(tables.wins, tables.wins + tables.losses)
    met = ~np.isnan(ratios)
    return shares(np.where(met, ratios, 0).sum(axis=2), met.sum(axis=2))


def why_no_score(tables: Wins) -> list[NoScore]:
    """Return, for each system of the first table, why it has no score, if it has none."""
    compared = tables.compared[0].sum(axis=1)
    return [NoScore.ALWAYS_TIED if count else NoScore.NEVER_COMPARED for count in compared]


# --- gradients --------------------------------------------------------------------------------
#
# The derivative of each score (row) by the number of each outcome of each pair (column, as in
# SentenceWins), for one table of wins: systems × (4 · P). Times the counts of a cell it is the
# influence of the cell (Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 21).


def ratio_gradient(total: Wins) -> Floats:
    score, decided = ratio_of_wins(total)[0], (total.wins + total.losses)[0].sum(axis=1)
    systems = np.arange(len(score))
    won, lost = shares(1 - score, decided), shares(-score, decided)
    wins = np.zeros((len(score),) * 3)
    wins[systems, systems, :] = won[:, None]
    wins[systems, :, systems] = lost[:, None]
    return _columns(wins, np.zeros_like(wins))


def ratio_with_ties_gradient(total: Wins) -> Floats:
    score, compared = ratio_with_ties(total)[0], total.compared[0].sum(axis=1)
    systems = np.arange(len(score))
    good, lost = shares(1 - score, compared), shares(-score, compared)
    wins, ties = np.zeros((2, *(len(score),) * 3))
    wins[systems, systems, :] = ties[systems, systems, :] = ties[systems, :, systems] = good[
        :, None
    ]
    wins[systems, :, systems] = lost[:, None]
    return _columns(wins, ties)


def expected_wins_gradient(total: Wins) -> Floats:
    decided = (total.wins + total.losses)[0]
    rates = shares(total.wins[0], decided)
    opponents = np.count_nonzero(decided, axis=1)[:, None]
    systems = np.arange(len(rates))
    wins = np.zeros((len(rates),) * 3)
    wins[systems, systems, :] = np.nan_to_num(shares(1 - rates, decided * opponents))
    wins[systems, :, systems] = np.nan_to_num(shares(-rates, decided * opponents))
    return _columns(wins, np.zeros_like(wins))


def _columns(wins: Floats, ties: Floats) -> Floats:
    """Return derivatives by the wins of x against y [score, x, y] and by ties as columns.

    Those by same texts are 0: these are ties, and nothing more.
    """
    x, y = np.triu_indices(wins.shape[1], 1)
    by_ties = ties[:, x, y]
    columns = [wins[:, x, y], wins[:, y, x], by_ties, np.zeros_like(by_ties)]
    return np.concatenate(columns, axis=1)

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

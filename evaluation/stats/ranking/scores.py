"""Scores of systems: shares of wins, for many tables of wins at once, and the skill rating.

Definitions: method.md, "Systems"; ties counted as until WMT 2011 (Bojar et al. 2011, "A Grain of
Salt for the WMT Manual Evaluation", section 2); expected wins: Koehn (2012), "Simulating Human
Judgment in Machine Translation Evaluation Campaigns".
"""

from enum import Enum
from typing import Final

import numpy as np

from evaluation.stats.judgements import MISSING, Judgements
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


MODEL: Final = ("Bradley-Terry of all pairs by openskill", "tau 0")


def ratings(judgements: Judgements) -> tuple[list[float], list[float]]:
    """Return the mean and the standard deviation of each system's rating, in one pass.

    Each judgement is a game of all its systems, in order of time (unknown times last). As in
    TrueSkill, which WMT used from 2014 on, a game moves the rating of its systems. The rules are
    those of Weng and Lin (2011), "A Bayesian Approximation Method for Online Ranking", Journal of
    Machine Learning Research 12, with the model of Bradley and Terry over all pairs: their
    Plackett-Luce model has no ties, and on the thesis' data ranks systems that often tie too low.

    Ratings begin at openskill's 25 and 25 / 3. Systems do not change, so no uncertainty is added
    between games (tau = 0). The deviations are too small: the model takes the pairs of a judgement
    for independent.
    """
    # Slow to import and rarely used.
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(tau=0.0)
    players = [model.rating() for _ in judgements.system_names]
    for row in judgements.system_ranks[np.argsort(judgements.created, kind="stable")].tolist():
        playing = [system for system, rank in enumerate(row) if rank != MISSING]
        if len(playing) < 2:
            continue
        teams = [[players[system]] for system in playing]
        rated = model.rate(teams, ranks=[row[system] for system in playing])
        for system, (player,) in zip(playing, rated, strict=True):
            players[system] = player
    return [float(player.mu) for player in players], [float(player.sigma) for player in players]

"""Scores of systems that are shares of wins, for many tables of wins at once.

Definitions: method.md, "Systems"; ties counted as until WMT 2011 (Bojar et al. 2011, "A Grain of
Salt for the WMT Manual Evaluation", section 2); expected wins: Koehn (2012), "Simulating Human
Judgment in Machine Translation Evaluation Campaigns".
"""

from enum import Enum
from typing import Final

import numpy as np

from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.resampling import Floats
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
    """Say of each system of the first table why it has no score, if it has none."""
    compared = tables.compared[0].sum(axis=1)
    return [NoScore.ALWAYS_TIED if count else NoScore.NEVER_COMPARED for count in compared]


def shares(part: Floats, whole: Floats) -> Floats:
    """Divide element by element; NaN where the whole is 0."""
    quotients = np.full(part.shape, np.nan)
    np.divide(part, whole, out=quotients, where=whole > 0)
    return quotients


MODEL: Final = ("Bradley-Terry of all pairs by openskill", "tau 0")


def ratings(judgements: Judgements) -> tuple[list[float], list[float]]:
    """Return the mean and the standard deviation of each system after all judgements, one pass.

    The order matters: it is that of time, those of unknown time after all others, and otherwise
    that of the rows. Ratings begin at openskill's 25 and 25 / 3: a system that never met another
    stays there. Systems do not change while people judge them, so no uncertainty is added between
    games (tau). The deviations take the pairs of a judgement for independent of each other, which
    they are not: they are smaller than those of resampled sentences would be.
    """
    # Slow to import, and rarely asked for.
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

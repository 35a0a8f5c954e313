"""The skill of systems, as a rating of players that learns from one judgement after another.

A judgement is a game of all its systems. In the manner of TrueSkill, which WMT used from 2014 on,
a system has a mean and a standard deviation, which each game moves; by openskill, whose rules are
those of Weng and Lin (2011), "A Bayesian Approximation Method for Online Ranking", Journal of
Machine Learning Research 12. Of their models the one of Bradley and Terry over all pairs: that of
Plackett and Luce does not know ties, which are half of what people say here, and on the thesis'
data puts systems that often tie far too low.
"""

from typing import Final

import numpy as np

from evaluation.stats.judgements import MISSING, Judgements

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

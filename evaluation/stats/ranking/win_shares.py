"""Rankings as scores: the share of the other translations that a system's translation beats."""

from typing import Final

import numpy as np

from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.resampling import SHARE
from evaluation.stats.score_means import SystemScores

METHOD: Final = "mean_share_of_wins"


def win_shares(judgements: Judgements) -> SystemScores:
    """Return the share of the others that each system beats in each judgement, ties being half.

    Systems with the same candidate are not compared with each other; a system that is compared
    with none has no score. Means are near the ratio of wins, and vary as it does.
    """
    ranks, candidates = judgements.system_ranks, judgements.system_candidates
    systems = ranks.shape[1]
    wins, compared = np.zeros(ranks.shape), np.zeros(ranks.shape)
    for other in range(systems):
        known = (ranks != MISSING) & (ranks[:, [other]] != MISSING)
        known &= candidates != candidates[:, [other]]
        wins += known * (
            (ranks < ranks[:, [other]]) + 0.5 * (ranks == ranks[:, [other]]).astype(np.float64)
        )
        compared += known
    rows, columns = np.nonzero(compared)
    return SystemScores(
        wins[rows, columns] / compared[rows, columns],
        systems=columns.astype(np.int32),
        segments=judgements.segments[rows],
        annotators=judgements.annotators[rows],
        units=judgements.units[rows],
        names=systems,
        unit=judgements.unit,
        bounds=SHARE,
        method=METHOD,
        words=("share of wins", "ties half"),
    )

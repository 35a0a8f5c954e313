"""Which systems are better: rankings from the judgements of their candidates.

Definitions: method.md, "Systems"; thesis, chapter 3.1.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.judgements import MISSING, Judgements, Ranks
from evaluation.labels import natural_key
from evaluation.signature import Signature


@dataclass(frozen=True)
class SystemResult:
    """How often a system was better, worse and equal, over all other systems and judgements."""

    system: str
    wins: int
    losses: int
    ties: int

    @property
    def ratio_of_wins(self) -> float | None:
        """W / (W + L); None where the system never won nor lost."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None


@dataclass(frozen=True)
class Ranking:
    """Systems, best first; those whose ratio is undefined last."""

    systems: tuple[SystemResult, ...]
    signature: Signature


@dataclass(frozen=True, eq=False)
class PairwiseCounts:
    """Systems × systems: how often the row was better than the column, and how often equal."""

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]


def count_pairs(ranks: Ranks) -> PairwiseCounts:
    """Compare all systems in each judgement (J × systems); who has no candidate is absent."""
    systems = ranks.shape[1]
    wins = np.zeros((systems, systems), dtype=np.int64)
    ties = np.zeros((systems, systems), dtype=np.int64)
    present = ranks != MISSING
    for x, y in combinations(range(systems), 2):
        left, right = ranks[:, x], ranks[:, y]
        # A rank above a present one is present itself.
        wins[x, y] = np.count_nonzero((left < right) & present[:, x])
        wins[y, x] = np.count_nonzero((right < left) & present[:, y])
        ties[x, y] = ties[y, x] = np.count_nonzero((left == right) & present[:, x])
    return PairwiseCounts(wins, ties)


def rank_by_ratio_of_wins(judgements: Judgements) -> Ranking:
    """Rank by W / (W + L) over all pairs of systems of all judgements, repeats included."""
    pairs = count_pairs(judgements.system_ranks)
    results = [
        SystemResult(name, int(wins), int(losses), int(ties))
        for name, wins, losses, ties in zip(
            judgements.system_names,
            pairs.wins.sum(axis=1),
            pairs.wins.sum(axis=0),
            pairs.ties.sum(axis=1),
            strict=True,
        )
    ]
    signature = Signature(
        "ratio of wins",
        ("ties ignored", "repeats included"),
        len(judgements),
        judgements.sentences_judged,
    )
    return Ranking(tuple(sorted(results, key=_best_first)), signature)


def _best_first(result: SystemResult) -> tuple[bool, float, tuple[object, ...]]:
    ratio = result.ratio_of_wins
    return ratio is None, -(ratio or 0.0), natural_key(result.system)

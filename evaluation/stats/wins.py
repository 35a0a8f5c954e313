"""Wins and ties of systems by sentence: the sufficient statistics of every ranking.

They are counted once; resampling and permutation work on these counts.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import MISSING, Codes, Judgements, Ranks
from evaluation.stats.resampling import Floats, number_sentences, resampled_sums

# The outcome of a pair of systems in a judgement: NOTHING if one of them has no candidate.
OUTCOMES: Final = 4
NOTHING, FIRST_WINS, SECOND_WINS, TIE = range(OUTCOMES)


@dataclass(frozen=True, eq=False)
class Wins:
    """T tables of systems × systems, such as one for each resample; whole numbers.

    `wins[t, x, y]` says how often x was better than y, `ties[t, x, y]` how often they were equal.
    """

    wins: Floats
    ties: Floats

    @property
    def losses(self) -> Floats:
        """Losses of the row against the column."""
        return self.wins.swapaxes(1, 2)

    @property
    def compared(self) -> Floats:
        """Wins, losses and ties."""
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, eq=False)
class SentenceWins:
    """Counts by sentence: S × (3 · P), for the P pairs x < y of `systems` systems.

    First P columns: x better than y; then P: y better than x; then P: equal.
    """

    counts: Floats
    systems: int

    @property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first and the second system of each pair."""
        return np.triu_indices(self.systems, 1)

    @property
    def net(self) -> Floats:
        """S × P: wins of the first system of a pair minus wins of the second."""
        first, second, _ = np.split(self.counts, 3, axis=1)
        return first - second

    def total(self) -> Wins:
        """Return one table for all sentences."""
        return self.tables(self.counts.sum(axis=0, keepdims=True))

    def resampled(self, *, resamples: int, seed: int, size: int | None = None) -> Wins:
        """Return a table for each resample of the sentences, or of `size` of them."""
        return self.tables(resampled_sums(self.counts, resamples=resamples, seed=seed, size=size))

    def tables(self, sums: Floats) -> Wins:
        """Return T × (3 · P) sums as T tables of systems × systems."""
        wins, ties = np.zeros((2, len(sums), self.systems, self.systems))
        x, y = self.pairs
        wins[:, x, y], wins[:, y, x], ties[:, x, y] = np.split(sums, 3, axis=1)
        ties[:, y, x] = ties[:, x, y]
        return Wins(wins, ties)


def count_wins(judgements: Judgements) -> SentenceWins:
    """Compare all pairs of systems in each judgement; systems without a candidate are skipped."""
    codes, sentences = number_sentences(judgements.sentences)
    ranks = judgements.system_ranks
    systems = ranks.shape[1]
    pairs = systems * (systems - 1) // 2
    counts = np.empty((sentences, 3, pairs))
    for pair, (x, y) in enumerate(combinations(range(systems), 2)):
        counts[:, :, pair] = _outcomes(ranks[:, x], ranks[:, y], codes, sentences)[:, FIRST_WINS:]
    return SentenceWins(counts.reshape(sentences, 3 * pairs), systems)


def _outcomes(left: Ranks, right: Ranks, codes: Codes, sentences: int) -> NDArray[np.intp]:
    """Return the number of each outcome (column) by sentence (row)."""
    both = (left != MISSING) & (right != MISSING)
    outcome = both * (FIRST_WINS + (left > right) + 2 * (left == right).view(np.int8))
    cells = codes * np.int64(OUTCOMES) + outcome
    return np.bincount(cells, minlength=OUTCOMES * sentences).reshape(sentences, OUTCOMES)

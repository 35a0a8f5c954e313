"""How often systems won, a sentence: the sufficient statistics of every ranking.

Counted once, a sentence; all that is resampled or permuted afterwards are these small numbers
(house-style.md, "sacrebleu").
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import MISSING, Codes, Judgements, Ranks
from evaluation.stats.resampling import Floats, judged_sentences, resampled_sums

# What became of a pair of systems in a judgement: nothing where one has no candidate.
OUTCOMES: Final = 4
NOTHING, FIRST_WINS, SECOND_WINS, TIE = range(OUTCOMES)


@dataclass(frozen=True, eq=False)
class Wins:
    """Several tables (T) of systems × systems, such as one a resample; whole numbers.

    `wins[t, x, y]` says how often x was better than y, `ties[t, x, y]` how often they were equal.
    """

    wins: Floats
    ties: Floats

    @property
    def losses(self) -> Floats:
        """How often the row was worse than the column."""
        return self.wins.swapaxes(1, 2)

    @property
    def compared(self) -> Floats:
        """How often both were judged together: wins, losses and ties."""
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, eq=False)
class SentenceWins:
    """What was counted a sentence: S × (3 · P), for the P pairs x < y of `systems` systems.

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
        """S × P: how much more often the first system of a pair won than the second."""
        first, second, _ = np.split(self.counts, 3, axis=1)
        return first - second

    def total(self) -> Wins:
        """All sentences together: one table."""
        return self.tables(self.counts.sum(axis=0, keepdims=True))

    def resampled(self, *, resamples: int, seed: int, size: int | None = None) -> Wins:
        """A table a resample of the sentences, or of `size` of them."""
        return self.tables(resampled_sums(self.counts, resamples=resamples, seed=seed, size=size))

    def tables(self, sums: Floats) -> Wins:
        """Lay out T × (3 · P) sums as T tables of systems × systems."""
        wins, ties = np.zeros((2, len(sums), self.systems, self.systems))
        x, y = self.pairs
        wins[:, x, y], wins[:, y, x], ties[:, x, y] = np.split(sums, 3, axis=1)
        ties[:, y, x] = ties[:, x, y]
        return Wins(wins, ties)


def count_wins(judgements: Judgements) -> SentenceWins:
    """Compare all systems in each judgement, repeats included; who has no candidate is absent."""
    codes, sentences = judged_sentences(judgements.sentences)
    ranks = judgements.system_ranks
    systems = ranks.shape[1]
    pairs = systems * (systems - 1) // 2
    counts = np.empty((sentences, 3, pairs))
    for pair, (x, y) in enumerate(combinations(range(systems), 2)):
        counts[:, :, pair] = _outcomes(ranks[:, x], ranks[:, y], codes, sentences)[:, FIRST_WINS:]
    return SentenceWins(counts.reshape(sentences, 3 * pairs), systems)


def _outcomes(left: Ranks, right: Ranks, codes: Codes, sentences: int) -> NDArray[np.intp]:
    """Count, a sentence (row), each outcome (column) of two systems' ranks."""
    both = (left != MISSING) & (right != MISSING)
    outcome = both * (FIRST_WINS + (left > right) + 2 * (left == right).view(np.int8))
    cells = codes * np.int64(OUTCOMES) + outcome
    return np.bincount(cells, minlength=OUTCOMES * sentences).reshape(sentences, OUTCOMES)

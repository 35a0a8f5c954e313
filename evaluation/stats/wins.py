"""Wins and ties of systems by sentence and annotator: the sufficient statistics of every ranking.

They are counted once; resampling, permutation and variances work on these counts. If the judgements
are sampled by documents or blocks, these take the place of sentences.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import MISSING, Codes, Judgements, Ranks
from evaluation.stats.resampling import (
    Floats,
    number_sentences,
    resampled_sums,
    reweighted_sums,
    sum_rows,
)

# The outcome of a pair of systems in a judgement: NOTHING if one of them has no candidate.
OUTCOMES: Final = 4
NOTHING, FIRST_WINS, SECOND_WINS, TIE = range(OUTCOMES)
# The columns of counts for each pair: wins of the first and of the second, ties, same texts.
KINDS: Final = 4


@dataclass(frozen=True, eq=False)
class Wins:
    """T tables of systems × systems, such as one for each resample; whole numbers.

    `wins[t, x, y]` says how often x was better than y, `ties[t, x, y]` how often they were equal.
    `same_texts` are the ties of systems with one candidate, which no annotator compared.
    """

    wins: Floats
    ties: Floats
    same_texts: Floats | float = 0.0

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
    """Counts by sentence: S × (4 · P), for the P pairs x < y of `systems` systems.

    First P columns: x better than y; then P: y better than x; then P: equal; then P: of the equal
    ones, those with one text.
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
        first, second, *_ = np.split(self.counts, KINDS, axis=1)
        return first - second

    def sentences_of_systems(self, outcomes: int) -> NDArray[np.intp]:
        """Return the number of sentences in which each system has any of the first outcomes."""
        x, y = self.pairs
        counts = self.counts[:, : outcomes * len(x)]
        by_outcome = counts.reshape(len(counts), outcomes, len(x))
        met = np.asarray(np.any(by_outcome > 0, axis=1))
        return np.array(
            [
                np.count_nonzero(met[:, (x == k) | (y == k)].any(axis=1))
                for k in range(self.systems)
            ],
            dtype=np.intp,
        )

    def total(self) -> Wins:
        """Return one table for all sentences."""
        return self.tables(self.counts.sum(axis=0, keepdims=True))

    def resampled(self, *, resamples: int, seed: int, size: int | None = None) -> Wins:
        """Return a table for each resample of the sentences, or of `size` of them."""
        return self.tables(resampled_sums(self.counts, resamples=resamples, seed=seed, size=size))

    def reweighted(self, *, draws: int, seed: int) -> Wins:
        """Return a table for each draw of weights of the sentences (Bayesian bootstrap)."""
        return self.tables(reweighted_sums(self.counts, draws=draws, seed=seed))

    def tables(self, sums: Floats) -> Wins:
        """Return T × (4 · P) sums as T tables of systems × systems."""
        wins, ties, same = np.zeros((3, len(sums), self.systems, self.systems))
        x, y = self.pairs
        wins[:, x, y], wins[:, y, x], ties[:, x, y], same[:, x, y] = np.split(sums, KINDS, axis=1)
        ties[:, y, x], same[:, y, x] = ties[:, x, y], same[:, x, y]
        return Wins(wins, ties, same)


@dataclass(frozen=True, eq=False)
class CellWins:
    """Counts by cell, all judgements of one annotator in one sentence: C × (4 · P).

    The columns are those of SentenceWins. `sentences` and `annotators` are codes from 0 of the C
    cells, in this order; all unidentified annotators have the code UNIDENTIFIED.
    """

    counts: NDArray[np.signedinteger]
    sentences: Codes
    annotators: Codes
    systems: int

    @cached_property
    def by_sentence(self) -> SentenceWins:
        """The sums of the cells of each sentence that has any."""
        codes, count = number_sentences(self.sentences)
        return SentenceWins(sum_rows(codes, self.counts, count), self.systems)


def count_wins(judgements: Judgements) -> SentenceWins:
    """Compare all pairs of systems in each judgement; systems without a candidate are skipped."""
    return count_cells(judgements).by_sentence


def count_cells(judgements: Judgements) -> CellWins:
    """Compare all pairs of systems in each judgement, counted by sentence and annotator."""
    cells = judgements.cells
    ranks = judgements.system_ranks
    systems = ranks.shape[1]
    pairs = systems * (systems - 1) // 2
    # A large project has millions of cells, of few judgements each: a byte is enough for a count.
    most = int(np.bincount(cells.codes).max(initial=0))
    counts = np.empty((len(cells), KINDS, pairs), dtype=np.min_scalar_type(-most - 1))
    texts = judgements.system_candidates
    for pair, (x, y) in enumerate(combinations(range(systems), 2)):
        outcomes = _outcomes(ranks[:, x], ranks[:, y], cells.codes, len(cells))
        counts[:, :TIE, pair] = outcomes[:, FIRST_WINS:]
        same = (texts[:, x] == texts[:, y]) & (ranks[:, x] != MISSING)
        counts[:, TIE, pair] = np.bincount(cells.codes[same], minlength=len(cells))
    return CellWins(
        counts.reshape(len(cells), KINDS * pairs),
        number_sentences(cells.units)[0],
        cells.annotators,
        systems,
    )


def _outcomes(left: Ranks, right: Ranks, codes: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Return the number of each outcome (column) by cell (row)."""
    both = (left != MISSING) & (right != MISSING)
    outcome = both * (FIRST_WINS + (left > right) + 2 * (left == right).view(np.int8))
    cells = codes * np.int64(OUTCOMES) + outcome
    return np.bincount(cells, minlength=OUTCOMES * count).reshape(count, OUTCOMES)

"""Where judgements of whole sentences meet those of their segments.

What was counted a sentence is all that the figures of `sentence_level` need.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.wins import SentenceWins, count_wins
from evaluation.stats.resampling import Floats

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Levels:
    """The sentences judged at both levels (S, their `numbers` ascending), and what won in each.

    `sentence_wins` and `segment_wins` have a row a sentence of `numbers`; `sentence_judgements`
    and `segment_judgements` count the judgements in all of them.
    """

    system_names: tuple[str, ...]
    numbers: Numbers
    sentence_wins: SentenceWins
    segment_wins: SentenceWins
    sentence_judgements: int
    segment_judgements: int

    def wins_and_losses(self, counted: SentenceWins) -> tuple[Floats, Floats]:
        """Return, S × systems, how often each system was better and worse than another."""
        first_wins, second_wins, _ = np.split(counted.counts, 3, axis=1)
        first, second = self.members
        return (
            first_wins @ first + second_wins @ second,
            first_wins @ second + second_wins @ first,
        )

    @property
    def members(self) -> tuple[Floats, Floats]:
        """Return, pairs × systems, which system is the first of a pair, and which the second."""
        one = np.eye(len(self.system_names))
        x, y = self.sentence_wins.pairs
        return one[x], one[y]


def meet(sentence_level: Judgements, segment_level: Judgements) -> Levels:
    """Bring the two levels together by the numbers of their sentences; all judgements count.

    At the level of sentences, a "segment" of the judgements is a whole sentence. Both need the
    same systems in the same order, or ValueError is raised.
    """
    if sentence_level.system_names != segment_level.system_names:
        raise ValueError("Judgements of sentences and of segments are of different systems.")
    numbers, sentence_rows, segment_rows = np.intersect1d(
        _judged_numbers(sentence_level),
        _judged_numbers(segment_level),
        assume_unique=True,
        return_indices=True,
    )
    return Levels(
        system_names=segment_level.system_names,
        numbers=numbers,
        sentence_wins=_count_wins(sentence_level, sentence_rows),
        segment_wins=_count_wins(segment_level, segment_rows),
        sentence_judgements=_count_judgements(sentence_level, numbers),
        segment_judgements=_count_judgements(segment_level, numbers),
    )


def _judged_numbers(judgements: Judgements) -> Numbers:
    """Return the numbers of the sentences that were judged, in the order of `count_wins`."""
    return judgements.sentence_numbers[np.unique(judgements.sentences)]


def _count_wins(judgements: Judgements, rows: NDArray[np.intp]) -> SentenceWins:
    counted = count_wins(judgements)
    return SentenceWins(counted.counts[rows], counted.systems)


def _count_judgements(judgements: Judgements, numbers: Numbers) -> int:
    of_sentences = np.isin(judgements.sentence_numbers, numbers)
    return int(np.count_nonzero(of_sentences[judgements.sentences]))

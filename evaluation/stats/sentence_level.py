"""Judgements of segments compared with judgements of whole sentences: τ and quotients.

Definitions: method.md, "Sentence-level comparison"; thesis, chapter 3.1.2 and table 3.2. All
figures are computed from counts by sentence.
"""

from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import (
    CORRELATION,
    Floats,
    resampled_sums,
    shares,
    with_interval,
)
from evaluation.stats.units import SENTENCES
from evaluation.stats.wins import KINDS, SentenceWins, count_wins

Numbers = NDArray[np.int64]

# Sentences that are listed by default.
LISTED: Final = 30


@dataclass(frozen=True, eq=False)
class Levels:
    """The S sentences judged at both levels, by ascending number, and the wins at each level.

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
        """Return S × systems wins, and S × systems losses."""
        first_wins, second_wins, *_ = np.split(counted.counts, KINDS, axis=1)
        first, second = self.members
        return (
            first_wins @ first + second_wins @ second,
            first_wins @ second + second_wins @ first,
        )

    @property
    def members(self) -> tuple[Floats, Floats]:
        """Return pairs × systems: 1 for the first system of a pair, and 1 for the second."""
        one = np.eye(len(self.system_names))
        x, y = self.sentence_wins.pairs
        return one[x], one[y]


def match_levels(sentence_level: Judgements, segment_level: Judgements) -> Levels:
    """Match the two levels by sentence number; all judgements count.

    In `sentence_level` each "segment" is a whole sentence. Raises ValueError unless both have the
    same systems in the same order.
    """
    if sentence_level.system_names != segment_level.system_names:
        raise ValueError("Judgements of sentences and of segments have different systems.")
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
    """Return the numbers of the judged sentences, in the order of `count_wins`."""
    return judgements.sentence_numbers[np.unique(judgements.sentences)]


def _count_wins(judgements: Judgements, rows: NDArray[np.intp]) -> SentenceWins:
    counted = count_wins(judgements.sampled_by(SENTENCES))
    return SentenceWins(counted.counts[rows], counted.systems)


def _count_judgements(judgements: Judgements, numbers: Numbers) -> int:
    of_sentences = np.isin(judgements.sentence_numbers, numbers)
    return int(np.count_nonzero(of_sentences[judgements.sentences]))


@dataclass(frozen=True)
class Disagreement:
    """A system's wins and losses in a sentence (its number) at both levels, and the quotient.

    `quotient` is None if it is infinite: the system won some segments, never the whole sentence.
    """

    sentence: int
    system: str
    segment_wins: int
    segment_losses: int
    sentence_wins: int
    sentence_losses: int
    quotient: float | None

    @property
    def infinite(self) -> bool:
        return self.quotient is None

    @property
    def segments_compared(self) -> int:
        return self.segment_wins + self.segment_losses

    @property
    def sentences_compared(self) -> int:
        return self.sentence_wins + self.sentence_losses


@dataclass(frozen=True)
class Disagreements:
    """Sentences and systems by quotient, the highest first; `listed` may be cut off by a limit.

    `defined` counts the quotients, and `infinite` those among them with a zero denominator.
    `never_won`: the system won at neither level, so the quotient would be 0 / 0, and the levels
    agree.
    `not_compared`: at one level the system was in no comparison, or in none but ties.
    """

    listed: tuple[Disagreement, ...]
    defined: int
    infinite: int
    never_won: int
    not_compared: int


def disagreements(levels: Levels, *, limit: int | None = None) -> Disagreements:
    """List systems and sentences judged at both levels by their disagreement quotient.

    q(s, n) = [w_seg / (w_seg + l_seg)] / [w_sent / (w_sent + l_sent)], with the wins and losses of
    system s in the judgements of the segments of sentence n, and of the whole sentence.

    Of equal quotients (all infinite ones are), the one with the larger share of segments won comes
    first, then the one with more comparisons, then the one that stands first in the text.
    """
    segment_wins, segment_losses = levels.wins_and_losses(levels.segment_wins)
    sentence_wins, sentence_losses = levels.wins_and_losses(levels.sentence_wins)
    segments, wholes = segment_wins + segment_losses, sentence_wins + sentence_losses
    compared = (segments > 0) & (wholes > 0)
    won = shares(segment_wins, segments)
    quotients = shares(won, shares(sentence_wins, wholes))
    quotients[compared & (sentence_wins == 0) & (segment_wins > 0)] = inf
    rows, systems = np.nonzero(compared & ~np.isnan(quotients))
    found = quotients[rows, systems]
    order = np.lexsort(
        (
            rows,
            -(segments + wholes)[rows, systems],
            -won[rows, systems],
            -found,
        )
    )
    return Disagreements(
        listed=tuple(
            Disagreement(
                sentence=int(levels.numbers[row]),
                system=levels.system_names[system],
                segment_wins=int(segment_wins[row, system]),
                segment_losses=int(segment_losses[row, system]),
                sentence_wins=int(sentence_wins[row, system]),
                sentence_losses=int(sentence_losses[row, system]),
                quotient=None
                if np.isinf(quotients[row, system])
                else float(quotients[row, system]),
            )
            for row, system in zip(rows[order[:limit]], systems[order[:limit]], strict=True)
        ),
        defined=len(found),
        infinite=int(np.count_nonzero(np.isinf(found))),
        never_won=int(np.count_nonzero(compared & (sentence_wins == 0) & (segment_wins == 0))),
        not_compared=int(np.count_nonzero(~compared)),
    )


class NoTau(Enum):
    """Why there is no τ."""

    NO_COMMON_SENTENCE = "no sentence was judged both as a whole and by segments"
    ALL_TIED = "all comparisons of the segments of these sentences are ties"


@dataclass(frozen=True)
class Tau:
    """τ = (concordant - discordant) / (concordant + discordant), and these counts."""

    concordant: int
    discordant: int
    estimate: Estimate


@dataclass(frozen=True)
class SystemTau:
    """τ over the comparisons in which the system's sentence was better, worse, and either."""

    system: str
    better: Tau
    worse: Tau
    all: Tau


@dataclass(frozen=True)
class SentenceLevel:
    """τ of each system, in the order of the project, and of all `together`; disagreements.

    `sentences` were judged at both levels, by so many `sentence_judgements` and
    `segment_judgements`. In `together`, each comparison counts once.
    """

    systems: tuple[SystemTau, ...]
    together: Tau
    disagreements: Disagreements
    sentences: int
    sentence_judgements: int
    segment_judgements: int
    signature: str


def compare_levels(
    sentence_level: Judgements,
    segment_level: Judgements,
    *,
    resamples: int = 1000,
    seed: int = 0,
    limit: int | None = None,
) -> SentenceLevel:
    """Compare judgements of whole sentences with those of their segments.

    Each untied comparison of two systems' sentences is matched with that of every judgement of a
    segment of the sentence; ties are skipped there too, and repeats count. Intervals come from
    `resamples` of the sentences judged at both levels; a figure of fewer than FEWEST_SENTENCES
    has none. `limit` is the most disagreements listed. Raises ValueError for different systems.
    """
    levels = match_levels(sentence_level, segment_level)
    counted = _count_matches(levels)
    again = resampled_sums(counted, resamples=resamples, seed=seed)
    figures = counted.shape[1] // 2
    taus = [_tau(counted[:, each::figures], again[:, each::figures]) for each in range(figures)]
    systems = len(levels.system_names)
    options = (
        "ties skipped",
        "repeats included",
        f"{resamples} resamples of sentences",
        f"seed {seed}",
        f"judgements of whole sentences {levels.sentence_judgements}",
    )
    return SentenceLevel(
        systems=tuple(
            SystemTau(name, *taus[system : 3 * systems : systems])
            for system, name in enumerate(levels.system_names)
        ),
        together=taus[-1],
        disagreements=disagreements(levels, limit=limit),
        sentences=len(levels.numbers),
        sentence_judgements=levels.sentence_judgements,
        segment_judgements=levels.segment_judgements,
        signature=sign(
            "Kendall's τ of sentences and segments",
            options,
            levels.segment_judgements,
            len(levels.numbers),
        ),
    )


def _count_matches(levels: Levels) -> Floats:
    """Return, by sentence (row), the concordant and the discordant matches of each figure.

    A column a figure: each system when better, then when worse, then all; then all together. First
    come the concordant ones of all figures, then the discordant ones.
    """
    sentence = np.split(levels.sentence_wins.counts, KINDS, axis=1)[:2]
    segment = np.split(levels.segment_wins.counts, KINDS, axis=1)[:2]
    first, second = levels.members
    columns: list[Floats] = []
    # What won at the level of sentences wins at that of segments as well; or the other one does.
    for of_first, of_second in (segment, segment[::-1]):
        first_better, second_better = sentence[0] * of_first, sentence[1] * of_second
        better = first_better @ first + second_better @ second
        worse = first_better @ second + second_better @ first
        together = better.sum(axis=1, keepdims=True)
        columns += [better, worse, better + worse, together]
    return np.hstack(columns)


def _tau(counted: Floats, again: Floats) -> Tau:
    """Return τ of S × 2 matches, with the interval of the resamples."""
    concordant, discordant = (int(count) for count in counted.sum(axis=0))
    if not concordant + discordant:
        why = NoTau.ALL_TIED if len(counted) else NoTau.NO_COMMON_SENTENCE
        return Tau(0, 0, Estimate(None, undefined=why.value))
    value = (concordant - discordant) / (concordant + discordant)
    met = np.count_nonzero(counted.any(axis=1))
    taus = shares(again[:, 0] - again[:, 1], again.sum(axis=1))
    return Tau(concordant, discordant, with_interval(value, taus, int(met), CORRELATION))

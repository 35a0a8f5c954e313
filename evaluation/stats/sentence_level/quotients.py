"""The disagreement quotient: sentences whose segments were judged better than they were.

q(s, n) = [w_seg / (w_seg + l_seg)] / [w_sent / (w_sent + l_sent)], with the wins and losses of the
system s in the judgements of sentence n: of its segments, and of it as a whole. Source: thesis,
chapter 3.1.2; method.md, "Sentence-level comparison".
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from evaluation.stats.resampling import Floats
from evaluation.stats.sentence_level.levels import Levels


@dataclass(frozen=True)
class Disagreement:
    """What a system won and lost in a sentence (its number) at both levels, and their quotient.

    `quotient` is infinite where the system won some segments and never the whole sentence.
    """

    sentence: int
    system: str
    segment_wins: int
    segment_losses: int
    sentence_wins: int
    sentence_losses: int
    quotient: float

    @property
    def infinite(self) -> bool:
        return self.quotient == inf

    @property
    def segments_compared(self) -> int:
        return self.segment_wins + self.segment_losses

    @property
    def sentences_compared(self) -> int:
        return self.sentence_wins + self.sentence_losses


@dataclass(frozen=True)
class Disagreements:
    """Systems' sentences by quotient, the highest first, or the first of them; and how many of all.

    There are `defined` quotients, of which `infinite` ones are infinite. `never_won`: the system
    won at neither level, so that the quotient would be 0 / 0 and the levels agree.
    `not_compared`: at one level the system was in no comparison, or in none but ties.
    """

    listed: tuple[Disagreement, ...]
    defined: int
    infinite: int
    never_won: int
    not_compared: int


def disagreements(levels: Levels, *, limit: int | None = None) -> Disagreements:
    """List all systems' sentences that were judged at both levels by their quotients.

    Of equal quotients (all infinite ones are), the one with the larger share of segments won comes
    first, then the one with more comparisons, then the one that stands first in the text.
    """
    segment_wins, segment_losses = levels.wins_and_losses(levels.segment_wins)
    sentence_wins, sentence_losses = levels.wins_and_losses(levels.sentence_wins)
    segments, wholes = segment_wins + segment_losses, sentence_wins + sentence_losses
    compared = (segments > 0) & (wholes > 0)
    shares = _ratio(segment_wins, segments)
    quotients = _ratio(shares, _ratio(sentence_wins, wholes))
    quotients[compared & (sentence_wins == 0) & (segment_wins > 0)] = inf
    rows, systems = np.nonzero(compared & ~np.isnan(quotients))
    found = quotients[rows, systems]
    order = np.lexsort(
        (
            rows,
            -(segments + wholes)[rows, systems],
            -shares[rows, systems],
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
                quotient=float(quotients[row, system]),
            )
            for row, system in zip(rows[order[:limit]], systems[order[:limit]], strict=True)
        ),
        defined=len(found),
        infinite=int(np.count_nonzero(np.isinf(found))),
        never_won=int(np.count_nonzero(compared & (sentence_wins == 0) & (segment_wins == 0))),
        not_compared=int(np.count_nonzero(~compared)),
    )


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """Divide, with NaN where the lower number is 0 or unknown."""
    ratio = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=ratio, where=bottom > 0)
    return ratio

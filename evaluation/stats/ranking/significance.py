"""Significance of the difference between each pair of systems.

If two systems were equally good, the result of each sentence could as well be reversed: the test
flips the sign of the net wins of random sentences.
Source: the sign-flip (randomisation) test, Good (2005), Permutation, Parametric, and Bootstrap
Tests of Hypotheses, chapter 3; p = (c + 1) / (B + 1): Phipson & Smyth (2010), "Permutation P-values
Should Never Be Zero"; correction: Holm (1979), "A Simple Sequentially Rejective Multiple Test
Procedure".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import Floats, shares, weighted_sums
from evaluation.stats.wins import SentenceWins, count_wins

Counts = tuple[tuple[int, ...], ...]
Figures = tuple[tuple[float | None, ...], ...]

# Draws × sentences in memory at once: 4 MiB.
SIGNS_AT_ONCE: Final = 1 << 22


class NoDifference(Enum):
    """Why a pair of systems cannot be tested."""

    NEVER_TOGETHER = "the two systems were never judged together"
    ALWAYS_TIED = "the two systems always tied"


@dataclass(frozen=True)
class Significance:
    """Systems × systems, in the order of the project; None where a figure is undefined.

    `wins`, `losses` and `ties` are those of the row against the column; `win_rate` = w / (w + l);
    `p` of the difference, and `p_holm` corrected for all pairs tested. `least` is the smallest
    `p_holm` possible with this number of draws and pairs: if it is above 0.05, nothing can be
    significant. Diagonals are 0 and None.
    """

    system_names: tuple[str, ...]
    wins: Counts
    losses: Counts
    ties: Counts
    win_rate: Figures
    p: Figures
    p_holm: Figures
    least: float | None
    signature: Signature

    def undefined(self, x: int, y: int) -> str:
        """Return why two different systems have no rate and no p; "" if they have."""
        if self.win_rate[x][y] is not None:
            return ""
        why = NoDifference.ALWAYS_TIED if self.ties[x][y] else NoDifference.NEVER_TOGETHER
        return why.value


def compare_pairs(judgements: Judgements, *, resamples: int = 1000, seed: int = 0) -> Significance:
    """Test each pair of systems, two-sided, with `resamples` draws of signs."""
    counted = count_wins(judgements)
    total = counted.total()
    wins, losses, ties = total.wins[0], total.losses[0], total.ties[0]
    decided = wins + losses
    tested = (decided > 0)[counted.pairs]
    raw = np.where(tested, sign_flips(counted.net, draws=resamples, seed=seed), np.nan)
    pairs = int(np.count_nonzero(tested))
    return Significance(
        system_names=judgements.system_names,
        wins=_counts(wins),
        losses=_counts(losses),
        ties=_counts(ties),
        win_rate=_defined_rows(shares(wins, decided)),
        p=_defined_rows(_square(raw, counted)),
        p_holm=_defined_rows(_square(holm(raw), counted)),
        least=min(1.0, pairs / (resamples + 1)) if pairs else None,
        signature=Signature(
            "sign flips of sentences",
            ("two-sided", f"Holm over {pairs} pairs", f"{resamples} draws", f"seed {seed}"),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def sign_flips(differences: Floats, *, draws: int, seed: int) -> Floats:
    """Test each column (S × K whole numbers, a row a sentence) against a mean of 0, two-sided.

    Returns K values of p = (c + 1) / (B + 1), c being in how many of B draws of signs the sum is
    as far from 0 as the one observed, or farther. One draw of signs serves all columns.
    """
    sentences, columns = differences.shape
    random = np.random.default_rng(seed)
    observed = differences.sum(axis=0)
    as_far = np.zeros(columns)
    part = max(1, SIGNS_AT_ONCE // max(1, sentences))
    for start in range(0, draws, part):
        kept = np.array([_coins(random, sentences) for _ in range(min(part, draws - start))])
        # The sum of the values that keep their sign minus the sum of the others.
        sums = 2 * weighted_sums(kept, differences) - observed
        as_far += (np.abs(sums) >= np.abs(observed)).sum(axis=0)
    return np.asarray((as_far + 1) / (draws + 1))


def _coins(random: np.random.Generator, count: int) -> NDArray[np.uint8]:
    """Return `count` random bits."""
    return np.unpackbits(np.frombuffer(random.bytes(-(-count // 8)), dtype=np.uint8), count=count)


def holm(p: Floats) -> Floats:
    """Return p corrected by Holm's procedure; NaN values do not count and stay."""
    order = np.argsort(p)  # NaN last
    tests = np.count_nonzero(~np.isnan(p))
    steps = np.maximum(tests - np.arange(len(p)), 1)
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(1, np.maximum.accumulate(p[order] * steps))
    return corrected


def _square(values: Floats, counted: SentenceWins) -> Floats:
    """Return values by pair as a symmetric matrix, systems × systems."""
    x, y = counted.pairs
    square = np.full((counted.systems, counted.systems), np.nan)
    square[x, y] = square[y, x] = values
    return square


def _counts(square: Floats) -> Counts:
    return tuple(tuple(int(count) for count in row) for row in square)


def _defined_rows(square: NDArray[np.float64]) -> Figures:
    return tuple(_defined(row) for row in square)


def _defined(row: Sequence[float] | Floats) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(figure) else float(figure) for figure in row)

"""Counts of n-grams of a few texts, and what BLEU and chrF need of them.

Texts are sequences of tokens, or of characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each of T texts has each of V n-grams: `counts` T × V.

    The n-grams of one order stand together: those of order n + 1 begin at `starts[n]`; each order
    has at least one column.
    """

    counts: Integers
    starts: tuple[int, ...]

    def by_order(self, counts: Integers) -> Integers:
        """Return the sums (… × orders) of … × V counts over the n-grams of each order."""
        return np.add.reduceat(counts, self.starts, axis=-1)

    @property
    def totals(self) -> Integers:
        """T × orders: the number of n-grams of each text."""
        return self.by_order(self.counts)

    def matches(self, other: Integers) -> Integers:
        """T × orders: n-grams of each text that `other` (V, or T × V counts) has, clipped."""
        return self.by_order(np.minimum(self.counts, other))


def count_ngrams(texts: Sequence[Sequence[str]], orders: int) -> NgramCounts:
    """Count the n-grams of the texts of order 1 to `orders`."""
    lengths = np.array([len(text) for text in texts])
    numbers: dict[str, int] = {}
    units = np.array(
        [numbers.setdefault(unit, len(numbers)) for text in texts for unit in text], dtype=np.int64
    )
    of_text = np.repeat(np.arange(len(texts)), lengths)
    # Units that follow in the same text, the unit itself included.
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(units))
    parts, starts, codes = [], [0], np.zeros(len(units), dtype=np.int64)
    for order in range(orders):
        # Only starts of n-grams that end in their text; their codes are numbered anew for each
        # order, so that they stay small.
        inside = left > order
        following = np.flatnonzero(inside)
        extended = codes[inside] * len(numbers) + units[following + order]
        distinct, numbered = np.unique(extended, return_inverse=True)
        width = max(1, len(distinct))
        counted = np.bincount(of_text[inside] * width + numbered, minlength=len(texts) * width)
        parts.append(counted.reshape(len(texts), width))
        starts.append(starts[-1] + width)
        codes = np.zeros(len(units), dtype=np.int64)
        codes[inside] = numbered
    return NgramCounts(np.concatenate(parts, axis=1), tuple(starts[:-1]))

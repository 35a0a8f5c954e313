"""A small language model of characters, trained on the references of a project."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# N-grams of 1 to 5 characters.
LENGTH: Final = 5
# Codes of characters: one for all that the training texts do not have, begin and end of a text.
UNKNOWN, BEGIN, END = 0, 1, 2
FIRST_CHARACTER: Final = 3
# The codes of five characters fit into 64 bits; rarer characters are unknown.
MOST_CHARACTERS: Final = 2000


@dataclass(frozen=True, eq=False)
class _Counts:
    """Codes in ascending order, and a number of each."""

    codes: Integers
    numbers: tuple[Integers, ...]

    def find(self, codes: Integers) -> tuple[Integers, ...]:
        """Return the numbers of these codes, 0 if unknown."""
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        known = self.codes[places] == codes
        return tuple(np.where(known, numbers[places], 0) for numbers in self.numbers)


class CharacterModel:
    """Probabilities of the next character given the four before it, smoothed by Witten and Bell.

    P(c | h) = (n(hc) + t(h) · P(c | h′)) / (n(h) + t(h)), where n counts in the training texts, t
    is the number of different characters after h, and h′ is h without its first character; without
    any history, P is uniform.
    Source: Witten & Bell (1991), "The zero-frequency problem", method C, interpolated.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        frequent = Counter(chain.from_iterable(texts)).most_common(MOST_CHARACTERS)
        self._codes = {pair[0]: code for code, pair in enumerate(frequent, FIRST_CHARACTER)}
        self._kinds = FIRST_CHARACTER + len(frequent)
        units, _ = self._units(texts)
        self._ngrams: list[_Counts] = []
        self._histories: list[_Counts] = []
        for codes in self._ngram_codes(units):
            distinct, counts = np.unique(codes, return_counts=True)
            self._ngrams.append(_Counts(distinct, (counts,)))
            histories, first = np.unique(distinct // self._kinds, return_index=True)
            totals = np.add.reduceat(counts, first)
            kinds = np.diff(first, append=len(distinct))
            self._histories.append(_Counts(histories, (totals, kinds)))

    def scores(self, texts: Sequence[str]) -> Floats:
        """Return the mean natural logarithm of the probabilities of each text's characters."""
        units, lengths = self._units(texts)
        probability = np.full(int(lengths.sum()), 1 / self._kinds)
        for codes, ngrams, histories in zip(
            self._ngram_codes(units), self._ngrams, self._histories, strict=True
        ):
            (count,) = ngrams.find(codes)
            total, kinds = histories.find(codes // self._kinds)
            # After an unknown history, the shorter one decides.
            smoothed = (count + kinds * probability) / np.maximum(total + kinds, 1)
            probability = np.where(total > 0, smoothed, probability)
        of_text = np.repeat(np.arange(len(texts)), lengths)
        return np.bincount(of_text, np.log(probability), len(texts)) / lengths

    def _units(self, texts: Sequence[str]) -> tuple[Integers, Integers]:
        """Return codes of all texts' characters, with begins and an end, and numbers of n-grams."""
        units: list[int] = []
        for text in texts:
            units += [BEGIN] * (LENGTH - 1)
            units += [self._codes.get(character, UNKNOWN) for character in text]
            units.append(END)
        return np.array(units, dtype=np.int64), np.array([len(text) + 1 for text in texts])

    def _ngram_codes(self, units: Integers) -> list[Integers]:
        """Return for n = 1 to LENGTH the codes of the n-grams that end in a character or an end."""
        ends = np.flatnonzero(units != BEGIN)
        codes, parts = np.zeros(len(ends), dtype=np.int64), []
        for back in range(LENGTH):
            codes = codes + units[ends - back] * self._kinds**back
            parts.append(codes)
        return parts

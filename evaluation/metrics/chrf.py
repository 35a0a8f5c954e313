"""chrF and chrF++: F-score of n-grams of characters, and of words for chrF++.

Equal to sacrebleu's, which has no public sentence statistics. Of several references, a sentence is
compared with the one of the highest F.
Sources: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation; Popović
(2017), chrF++: words helping character n-grams.
"""

import string
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from evaluation.metrics.metric import OURS, Metric, divided
from evaluation.metrics.ngrams import (
    Units,
    match_ngrams,
    number_characters,
    number_words,
    totals,
)
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Words
from evaluation.stats.resampling import Floats

CHARACTER_ORDERS: Final = 6
# Recall counts β² times as much as precision.
BETA: Final = 2
_PUNCTUATION: Final = frozenset(string.punctuation)


@dataclass(frozen=True)
class ChrF(Metric):
    """chrF with β = 2, case kept, spaces left out; `word_order` is 2 for chrF++.

    Statistics: the n-grams of the output, those of the reference and the matching ones, for each
    order of characters, then of words. Orders that the output or the reference is too short for
    are left out of the average.
    """

    name: str
    word_order: int = 0
    split: dict[str, Words] = field(default_factory=dict, repr=False, compare=False)

    @property
    def signature(self) -> str:
        orders = f"nc:{CHARACTER_ORDERS}|nw:{self.word_order}"
        return f"chrF{BETA}{'+' * self.word_order}|case:mixed|eff:yes|{orders}|space:no|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        return references.compared(outputs, self._count_some)

    def _count_some(self, outputs: Lines, references: References) -> Floats:
        lines = [*outputs, *references.lines]
        characters = number_characters(["".join(line.split()) for line in lines])
        parts = [_triples(characters, references, CHARACTER_ORDERS)]
        if self.word_order:
            words = number_words([self._words(line) for line in lines])
            parts.append(_triples(words, references, self.word_order))
        # P × orders × 3; each sentence keeps the reference of its highest F.
        counted = np.concatenate(parts, axis=1)
        chosen: Floats = counted[references.least(-_f_score(counted))]
        return chosen.reshape(len(outputs), -1)

    def score(self, sums: Floats) -> Floats:
        return _f_score(sums.reshape(*sums.shape[:-1], -1, 3))

    def _words(self, line: str) -> Words:
        """Return the words, with one punctuation mark at their end, else their start, split off."""
        if line not in self.split:
            words: list[str] = []
            for word in line.split():
                if len(word) > 1 and word[-1] in _PUNCTUATION:
                    words += (word[:-1], word[-1])
                elif len(word) > 1 and word[0] in _PUNCTUATION:
                    words += (word[0], word[1:])
                else:
                    words.append(word)
            self.split[line] = tuple(words)
        return self.split[line]


def _triples(units: Units, references: References, orders: int) -> Floats:
    """Return n-grams of output and reference, and matches, by reference: P × orders × 3."""
    found = match_ngrams(units, references, orders).by_reference
    of_outputs, of_references = np.split(totals(units.lengths, orders), [len(references)])
    # As in sacrebleu, an order that the reference is too short for does not count the output's.
    compared = np.where(of_references > 0, of_outputs[references.sentences], 0)
    return np.stack([compared, of_references, found], axis=-1)


def _f_score(counts: Floats) -> Floats:
    """Return F (…) of the means of precision and recall over orders, from … × orders × 3."""
    ours, theirs, found = np.moveaxis(counts, -1, 0)
    defined = (ours > 0) & (theirs > 0)
    orders = np.maximum(defined.sum(axis=-1), 1)
    precision = divided(found, np.where(defined, ours, 0)).sum(axis=-1) / orders
    recall = divided(found, np.where(defined, theirs, 0)).sum(axis=-1) / orders
    return divided((1 + BETA**2) * precision * recall, BETA**2 * precision + recall)

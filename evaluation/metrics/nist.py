"""NIST: matching n-grams weighted by how rare they are in the references.

The information of an n-gram is log2(count of it without its last word / count of it), over all
references; score = Σ over n = 1 to 5 of (information of the matches / n-grams of the output), times
exp(β ln² min(1, c / r)), β = ln .5 / ln² 1.5, where r is the mean length of the references.
Source: Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram
Co-Occurrence Statistics; mteval-v13a.pl.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.metrics.metric import OURS, Metric, divided
from evaluation.metrics.ngrams import count_in_corpus, match_ngrams, number_words, totals
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Tokenizer, Words
from evaluation.stats.resampling import Floats

ORDERS: Final = 5
BETA: Final = float(np.log(0.5) / np.log(1.5) ** 2)


@dataclass(frozen=True)
class Nist(Metric):
    """NIST, from 0 upwards.

    Statistics: the information of matches of order 1 to 5, the output's n-grams of order 1 to 5,
    its length, and the mean length of its references. Information is that of all references given.
    """

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        return f"NIST|{self.tokenizer.signature}|order:{ORDERS}|info:references|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        words = self.tokenizer.words(outputs)
        information = _information(
            words, (self.tokenizer.words(some.lines) for _rows, some in references.parts())
        )
        first = np.cumsum([0, *map(len, words)])
        counted = []
        for rows, some in references.parts():
            units = number_words([*words[rows], *self.tokenizer.words(some.lines)])
            length, of_references = np.split(units.lengths, [len(some)])
            weights = information[:, first[rows.start] : first[rows.stop]]
            counted.append(
                np.concatenate(
                    [
                        match_ngrams(units, some, ORDERS, weights).weighted,
                        totals(length, ORDERS),
                        length[:, None],
                        some.means(of_references, of_references > 0)[:, None],
                    ],
                    axis=1,
                )
            )
        return np.concatenate(counted)

    def score(self, sums: Floats) -> Floats:
        information, ngrams = sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS]
        length, of_references = sums[..., -2], sums[..., -1]
        precision = divided(information, ngrams).sum(axis=-1)
        ratio = divided(length, of_references, 1.0)
        # An empty output has no information either; its penalty would have the logarithm of 0.
        penalty = np.exp(BETA * np.log(np.clip(ratio, np.finfo(float).tiny, 1)) ** 2)
        return np.asarray(precision * penalty)


def _information(lines: Sequence[Words], references: Iterable[Sequence[Words]]) -> Floats:
    """Return the information of the n-gram that begins at each word of lines: orders × words.

    It is 0 where the references do not have the n-gram.
    """
    counts, size = count_in_corpus(lines, references, ORDERS)
    shorter = np.concatenate([np.full((1, counts.shape[1]), float(size)), counts[:-1]])
    there = counts > 0
    return np.where(there, np.log2(np.where(there, shorter, 1) / np.where(there, counts, 1)), 0)

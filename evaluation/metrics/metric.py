"""What all metrics have in common: statistics by sentence, and scores of sums of them.

A corpus score, a resample and a permutation are sums of the statistics of their sentences, so that
texts are read once. All scores are turned so that better is higher.
"""

from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.references import Lines, References, check_sentences
from evaluation.stats.estimates import VERSION
from evaluation.stats.resampling import Floats

OURS: Final = f"SegRanks {VERSION}"


class Metric(ABC):
    """An automatic metric; `name` is that of the catalogue."""

    name: str

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything but texts that a score depends on, as sacrebleu has it: "BLEU|case:lc|…"."""

    def signature_with(self, references: References) -> str:
        """Return the signature with the number of references: "BLEU|nrefs:1|case:lc|…"."""
        name, rest = self.signature.split("|", maxsplit=1)
        return f"{name}|{references.signature}|{rest}"

    def statistics(self, outputs: Lines, references: References) -> Floats:
        """Return the statistics of S outputs against the references of S sentences: S × k.

        The sum of rows is the statistics of their sentences together. A blank output is an output
        without words. Raises InputError if the numbers of sentences differ, if there is no
        sentence, or if a sentence has no reference.
        """
        check_sentences(outputs, references)
        return self._count(outputs, references)

    @abstractmethod
    def _count(self, outputs: Lines, references: References) -> Floats:
        """Return the statistics of checked texts."""

    @abstractmethod
    def score(self, sums: Floats) -> Floats:
        """Return the scores (…) of sums of statistics (… × k); better is higher."""

    def sentence_scores(self, statistics: Floats) -> Floats:
        """Return the score of each sentence (S) of the statistics (S × k)."""
        return self.score(statistics)


class MeanMetric(Metric):
    """A metric whose score is the mean of its sentence scores.

    Statistics: the score of the sentence, and 1.
    """

    def _count(self, outputs: Lines, references: References) -> Floats:
        scores = self._score_sentences(outputs, references)
        return np.stack([scores, np.ones(len(scores))], axis=1)

    @abstractmethod
    def _score_sentences(self, outputs: Lines, references: References) -> Floats:
        """Return the score of each sentence (S)."""

    def score(self, sums: Floats) -> Floats:
        return mean_score(sums)


class ErrorRate(Metric):
    """A metric that counts edits: its score is 1 - rate, below 0 if there are many edits.

    Statistics: edits, and the length of the reference, in words.
    """

    def rate(self, sums: Floats) -> Floats:
        """Return edits / reference length; without a reference's word 1, or 0 without edits."""
        edits, lengths = sums[..., 0], sums[..., 1]
        return divided(edits, lengths, edits > 0)

    def score(self, sums: Floats) -> Floats:
        return np.asarray(1 - self.rate(sums))


def mean_score(sums: Floats) -> Floats:
    """Return the means (…) of sentence scores, of sums of them and of ones (… × 2)."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def divided(
    numerators: Floats, denominators: Floats, otherwise: NDArray[np.bool_] | float = 0.0
) -> Floats:
    """Return the quotients, and `otherwise` where the denominator is not above 0."""
    positive = denominators > 0
    quotients = np.divide(numerators, np.where(positive, denominators, 1))
    return np.asarray(np.where(positive, quotients, otherwise), dtype=np.float64)

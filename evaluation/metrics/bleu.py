"""BLEU of a corpus and of sentences, from one matrix of statistics.

A sentence's statistics are the matching n-grams m1 to m5, the output's n-grams l1 to l5, the length
c of the output, and r, the length of the reference closest to it, the shorter of two. Scores are
shares, not percentages.
Sources: Papineni et al. (2002); Chen & Cherry (2014), A Systematic Comparison of Smoothing
Techniques for Sentence-Level BLEU.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.metrics.metric import OURS, MeanMetric, Metric, divided
from evaluation.metrics.ngrams import match_ngrams, number_words, totals
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Tokenizer
from evaluation.stats.resampling import Floats

ORDERS: Final = 4
# Method 5 of Chen & Cherry averages each order with the next one.
COUNTED: Final = ORDERS + 1
# The constant K of their method 4.
NRC_CONSTANT: Final = 5


@dataclass(frozen=True)
class Bleu(Metric):
    """Corpus BLEU, equal to sacrebleu's; `sentence_scores` are those of its sentence_bleu.

    Both smooth orders without matches exponentially, as mteval-v13a does; a sentence counts only
    the orders that it is long enough for.
    """

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        return f"BLEU|{self.tokenizer.signature}|order:{ORDERS}|smooth:exp|eff:no|{OURS}"

    def _count(self, outputs: Lines, references: References) -> Floats:
        return bleu_statistics(self.tokenizer, outputs, references)

    def score(self, sums: Floats) -> Floats:
        return _exponential(sums, effective=False)

    def sentence_scores(self, statistics: Floats) -> Floats:
        return _exponential(statistics, effective=True)


@dataclass(frozen=True)
class SentBleu(MeanMetric):
    """Sentence BLEU of Moses: 1 is added to matches and n-grams of every order; WMT's sentBLEU."""

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        return f"sentBLEU|{self.tokenizer.signature}|order:{ORDERS}|smooth:add-1|mean|{OURS}"

    def _score_sentences(self, outputs: Lines, references: References) -> Floats:
        counts = bleu_statistics(self.tokenizer, outputs, references)
        matches, ngrams, _, _ = _parts(counts)
        smoothed = np.log((matches + 1) / (ngrams + 1))
        return np.asarray(np.exp(smoothed.mean(axis=1)) * _brevity(counts))


@dataclass(frozen=True)
class BleuNrc(MeanMetric):
    """Sentence BLEU with Chen & Cherry's smoothing 4 + 5, K = 5; 0 without a matching word."""

    name: str
    tokenizer: Tokenizer

    @property
    def signature(self) -> str:
        smoothing = f"smooth:4+5[{NRC_CONSTANT}]"
        return f"BLEU-NRC|{self.tokenizer.signature}|order:{ORDERS}|{smoothing}|mean|{OURS}"

    def _score_sentences(self, outputs: Lines, references: References) -> Floats:
        counts = bleu_statistics(self.tokenizer, outputs, references)
        return _method_4_and_5(counts)


def bleu_statistics(tokenizer: Tokenizer, outputs: Lines, references: References) -> Floats:
    """Return m1 to m5, l1 to l5, c and r of each sentence: S × 12."""

    def of_some(outputs: Lines, references: References) -> Floats:
        units = number_words(tokenizer.words([*outputs, *references.lines]))
        length, of_references = np.split(units.lengths, [len(outputs)])
        # A reference without words is none.
        absent = of_references == 0
        distance = np.abs(of_references - length[references.sentences])
        closest = of_references[references.least(absent, distance, of_references)]
        matches = match_ngrams(units, references, COUNTED).clipped
        return np.concatenate(
            [matches, totals(length, COUNTED), length[:, None], closest[:, None]], axis=1
        )

    return references.compared(outputs, of_some)


def _parts(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return matches and n-grams (… × 4), and the lengths of output and reference (…)."""
    return sums[..., :ORDERS], sums[..., COUNTED:][..., :ORDERS], sums[..., -2], sums[..., -1]


def _brevity(sums: Floats) -> Floats:
    """Return the brevity penalty, exp(1 - r / c) if c < r, else 1; 0 for an empty output."""
    length, closest = sums[..., -2], sums[..., -1]
    return np.where(length > 0, np.exp(np.minimum(0, 1 - divided(closest, length))), 0)


def _exponential(sums: Floats, *, effective: bool) -> Floats:
    """Return BLEU; the k-th order without matches counts 1 / 2^k of a match.

    If `effective`, orders without n-grams are left out; else they make the score 0.
    """
    matches, ngrams, _, _ = _parts(sums)
    halvings = np.cumsum(matches == 0, axis=-1)
    smoothed = np.where(matches > 0, matches, 0.5**halvings)
    logarithms = np.log(divided(smoothed, ngrams, 1.0))
    orders = (ngrams > 0).sum(axis=-1)
    used = np.maximum(orders, 1) if effective else ORDERS
    score = _brevity(sums) * np.exp(logarithms.sum(axis=-1) / used)
    defined = matches.any(axis=-1) & (effective | (orders == ORDERS))
    return np.where(defined, score, 0)


def _method_4_and_5(counts: Floats) -> Floats:
    """Return sentence BLEU of Chen & Cherry: method 4 for m1 to m4 = 0, then averages of counts.

    m'0 = m1 + 1, m'n = (m'(n-1) + m(n) + m(n+1)) / 3. m5 is not smoothed by method 4; WMT14's
    correlations of BLEU-NRC follow from this.
    """
    matches = counts[:, :COUNTED].copy()
    _, ngrams, length, _ = _parts(counts)
    # An output of one word has no logarithm to divide by.
    growth = NRC_CONSTANT / np.log(np.maximum(length, 2))
    zeros = np.cumsum(matches[:, :ORDERS] == 0, axis=1)
    smoothed = growth[:, None] ** -zeros.astype(np.float64)
    found = matches.any(axis=1)
    matches[:, :ORDERS] = np.where(matches[:, :ORDERS] > 0, matches[:, :ORDERS], smoothed)
    average, logarithms = matches[:, 0] + 1, np.zeros(len(counts))
    for n in range(ORDERS):
        average = (average + matches[:, n] + matches[:, n + 1]) / 3
        logarithms += np.log(average / np.maximum(ngrams[:, n], 1))
    return np.where(found, np.exp(logarithms / ORDERS) * _brevity(counts), 0)

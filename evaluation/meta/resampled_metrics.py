"""Scores of metrics for resampled sentences, from sums of their statistics by sentence.

A metric scores all sentences that it can, and people judge some of them. A resample takes as many
judged sentences and as many others as there are, each with replacement. So people and the metric
are resampled alike, and both have scores of as many sentences as the figures themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import Floats, number_sentences, resampled_sums, sum_rows


@dataclass(frozen=True, eq=False)
class SentenceStatistics:
    """What the scores of K systems are computed from: statistics of T sentences, K × T × k.

    `score` gives the scores (…) of sums of statistics (… × k); `is_mean` tells whether it is the
    mean of sentence scores. `sentence_numbers` (T) name the sentences. Raises ValueError if there
    is not one number for each sentence.
    """

    values: Floats
    score: Callable[[Floats], Floats]
    sentence_numbers: tuple[int, ...]
    is_mean: bool

    def __post_init__(self) -> None:
        if self.values.ndim != 3 or self.values.shape[1] != len(self.sentence_numbers):
            raise ValueError("Statistics must be systems × sentences × statistics.")


class ResampledMetric(NamedTuple):
    """A metric's scores of K systems in B resamples (B × K): of all sentences, and of the judged.

    Judged sentences are those that `SentenceWins.resampled` samples with the same seed.
    """

    of_all: Floats
    of_judged: Floats


def resample_metric(
    statistics: SentenceStatistics, judgements: Judgements, *, resamples: int, seed: int
) -> ResampledMetric:
    """Return the metric's scores in resamples of the sentences, or other units, of judgements.

    Sentences that were not judged are resampled one by one. Raises KeyError if there are no
    statistics of a judged sentence.
    """
    place = {number: row for row, number in enumerate(statistics.sentence_numbers)}
    codes = np.unique(judgements.sentences)
    rows = np.array([place[number] for number in judgements.sentence_numbers[codes].tolist()])
    # In the order of the counts of SentenceWins.
    units, count = number_sentences(judgements.sentence_units[codes])
    systems, sentences, size = statistics.values.shape
    by_sentence = np.moveaxis(statistics.values, 0, 1).reshape(sentences, systems * size)
    sums = resampled_sums(
        sum_rows(units, by_sentence[rows], count), resamples=resamples, seed=seed
    ).reshape(resamples, systems, size)
    of_judged = statistics.score(sums)
    others = np.delete(by_sentence, rows, axis=0)
    if not len(others):
        return ResampledMetric(of_judged, of_judged)
    # Another seed, because samples of one seed would be correlated.
    sums += resampled_sums(others, resamples=resamples, seed=seed + 1).reshape(sums.shape)
    return ResampledMetric(statistics.score(sums), of_judged)

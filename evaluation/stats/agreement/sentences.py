"""Agreement of different annotators on each sentence."""

import numpy as np

from evaluation.stats.agreement.disputes import Counts, compare_ranks
from evaluation.stats.comparisons import pairs_of_judgements
from evaluation.stats.judgements import Codes, Ranks


def agreement_by_sentence(
    sentences: Codes, segments: Codes, annotators: Codes, ranks: Ranks, *, count: int
) -> tuple[Counts, Counts]:
    """Return by sentence code, 0 … count - 1, the comparisons that agree, and all of them.

    The arrays have an item for each judgement; its row of `ranks` has those of the candidates of
    its segment. Pairs of judgements by the same annotator are left out.
    """
    agree, compared = np.zeros((2, count), dtype=np.int64)
    for left, right in pairs_of_judgements(segments):
        different = annotators[left] != annotators[right]
        left, right = left[different], right[different]
        alike, _opposed, both = compare_ranks(ranks[left], ranks[right])
        agree += np.bincount(sentences[left], weights=alike, minlength=count).astype(np.int64)
        compared += np.bincount(sentences[left], weights=both, minlength=count).astype(np.int64)
    return agree, compared

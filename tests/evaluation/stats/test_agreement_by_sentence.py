import numpy as np

from evaluation.stats.agreement.sentences import agreement_by_sentence
from evaluation.stats.judgements import GARBAGE, MISSING


def test_pairs_of_different_annotators_are_counted_by_sentence():
    # Two segments of the first sentence, one of the second; annotator 0 repeats it.
    ranks = np.array(
        [[1, 2, GARBAGE], [1, 2, 3], [1, 1, MISSING], [2, 1, MISSING], [1, 2, 3], [3, 2, 1]],
        dtype=np.int16,
    )
    agree, compared = agreement_by_sentence(
        sentences=np.array([0, 0, 0, 0, 1, 1], dtype=np.int32),
        segments=np.array([0, 0, 1, 1, 2, 2], dtype=np.int32),
        annotators=np.array([0, 1, 0, 1, 0, 0], dtype=np.int32),
        ranks=ranks,
        count=2,
    )
    assert agree.tolist() == [3, 0]
    assert compared.tolist() == [4, 0]

import numpy as np
from hypothesis import given

from evaluation.stats.ranking.ranking import count_pairs
from evaluation.stats.ranking.wins import count_wins
from tests.evaluation.tables import G, judged, tables_with_systems


def test_each_pair_of_systems_is_counted_a_sentence():
    judgements = judged(
        [("s", "jana", [1, 2, 2]), ("t", "jana", [2, 1, G]), ("u", "petr", [1, 2])],
        systems="ABC",
        sentences={"s": 1, "t": 1, "u": 7},
        made={"s": [0, 1, 2], "t": [0, 1, 2], "u": [0, None, 1]},
    )

    counted = count_wins(judgements)

    #                                   AB AC BC | BA CA CB | ties
    assert counted.counts.tolist() == [[1, 2, 1, 1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 0, 0, 0]]
    assert counted.net.tolist() == [[0, 2, 1], [0, 1, 0]]


def test_nothing_judged_is_no_sentences():
    counted = count_wins(judged([], systems="AB"))

    assert counted.counts.shape == (0, 3)
    assert not counted.total().compared.any()


def test_one_system_has_no_pairs():
    total = count_wins(judged([("s", "jana", [1])], systems="A")).total()

    assert total.wins.tolist() == [[[0]]]


@given(tables_with_systems())
def test_all_sentences_together_are_all_pairs(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made)

    total = count_wins(judgements).total()

    pairs = count_pairs(judgements.system_ranks)
    assert (total.wins[0] == pairs.wins).all()
    assert (total.ties[0] == pairs.ties).all()
    assert (total.losses[0] == pairs.wins.T).all()


@given(tables_with_systems())
def test_a_resample_counts_its_sentences_as_if_they_had_been_judged(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made, sentences=None)
    counted = count_wins(judgements)
    numbers = np.unique(judgements.sentences)
    random = np.random.default_rng(5)

    resampled = counted.resampled(resamples=3, seed=5)

    for wins, ties in zip(resampled.wins, resampled.ties, strict=True):
        drawn = random.integers(0, max(1, len(numbers)), len(numbers))
        rows_of = [np.flatnonzero(judgements.sentences == numbers[index]) for index in drawn]
        again = judgements.system_ranks[np.concatenate([*rows_of, []]).astype(int)]
        assert (wins == count_pairs(again).wins).all()
        assert (ties == count_pairs(again).ties).all()

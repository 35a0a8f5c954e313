import numpy as np
from hypothesis import given

from evaluation.stats.wins import count_wins
from tests.evaluation.tables import G, judged, slow_wins, tables_with_systems


def test_each_pair_of_systems_is_counted_a_sentence():
    judgements = judged(
        [("s", "jana", [1, 2, 2]), ("t", "jana", [2, 1, G]), ("u", "petr", [1, 2])],
        systems="ABC",
        sentences={"s": 1, "t": 1, "u": 7},
        made={"s": [0, 1, 2], "t": [0, 1, 2], "u": [0, None, 1]},
    )

    counted = count_wins(judgements)

    #                                   AB AC BC | BA CA CB | ties     | with one text
    first = [1, 2, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    assert counted.counts.tolist() == [first, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
    assert counted.net.tolist() == [[0, 2, 1], [0, 1, 0]]


def test_nothing_judged_is_no_sentences_and_one_system_has_no_pairs():
    counted = count_wins(judged([], systems="AB"))

    assert counted.counts.shape == (0, 4)
    assert not counted.total().compared.any()
    assert count_wins(judged([("s", "jana", [1])], systems="A")).total().wins.tolist() == [[[0]]]


@given(tables_with_systems())
def test_all_sentences_together_agree_with_plain_loops(table):
    rows, made = table

    total = count_wins(judged(rows, systems="ABC", made=made)).total()

    for x in range(3):
        found = [total.wins[0, x].sum(), total.losses[0, x].sum(), total.ties[0, x].sum()]
        assert found == slow_wins(rows, made, x)


@given(tables_with_systems())
def test_a_resample_counts_its_sentences_as_often_as_they_were_sampled(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made)
    counted = count_wins(judgements)
    sentences = len(counted.counts)
    random = np.random.default_rng(5)

    resampled = counted.resampled(resamples=3, seed=5)

    for wins, ties in zip(resampled.wins, resampled.ties, strict=True):
        drawn = random.integers(0, max(1, sentences), sentences)
        expected = counted.tables(counted.counts[drawn].sum(axis=0, keepdims=True))
        assert (wins == expected.wins[0]).all()
        assert (ties == expected.ties[0]).all()

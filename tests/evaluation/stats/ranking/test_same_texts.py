import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.ranking.same_texts import count_same_texts
from evaluation.stats.wins import count_wins
from tests.evaluation.tables import judged, tables_with_systems


def test_one_text_is_no_tie_of_two():
    # A and B share the first candidate; C ties with them in s.
    rows = [("s", "jana", [1, 1]), ("t", "jana", [1, 2]), ("t", "petr", [2, 1])]

    found = count_same_texts(judged(rows, systems="ABC", made={"s": [0, 0, 1], "t": [0, 0, 1]}))

    assert found.same_text.tolist() == [[0, 3, 0], [3, 0, 0], [0, 0, 0]]
    assert found.ties.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert found.decided.tolist() == [[0, 0, 2], [0, 0, 2], [2, 2, 0]]


def test_a_system_without_a_candidate_is_missing_in_the_segment_and_not_compared():
    rows = [("s", "jana", [1, 2]), ("s", "petr", [1, 2]), ("t", "jana", [1, 2]), ("u", "jana", [1])]
    made = {"s": [0, 1, None], "t": [0, None, 1], "u": [0, None, None]}

    found = count_same_texts(judged(rows, systems="ABC", made=made))

    # Of three segments; how often each was judged does not matter.
    assert found.missing == pytest.approx([0, 2 / 3, 2 / 3])
    assert not (found.same_text + found.ties + found.decided)[1, 2]


def test_segments_that_are_not_judged_do_not_count():
    rows = [("s", "jana", [1, 2]), ("t", "petr", [1])]
    judgements = judged(rows, systems="AB", made={"s": [0, 1], "t": [0, None]})

    assert count_same_texts(judgements).missing.tolist() == [0, 0.5]
    some = judgements.select(np.array([True, False]))
    assert count_same_texts(some).missing.tolist() == [0, 0]
    assert np.isnan(count_same_texts(judged([])).missing).all()


@given(tables_with_systems())
def test_both_parts_are_all_ties(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made)
    found, total = count_same_texts(judgements), count_wins(judgements).total()

    assert (found.same_text + found.ties == total.ties[0]).all()
    assert (found.decided == total.wins[0] + total.losses[0]).all()
    for x, y in ((0, 1), (0, 2), (1, 2)):
        shared = [
            made[segment][x] is not None and made[segment][x] == made[segment][y]
            for segment, _, _ in rows
        ]
        assert found.same_text[x, y] == sum(shared)

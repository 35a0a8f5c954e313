from itertools import combinations

import pytest
from hypothesis import given

from evaluation.stats.agreement.disputes import most_contrasting, most_disputed
from tests.evaluation.tables import G, Row, judged, order, tables


def test_the_segment_on_which_judgements_agree_least_comes_first():
    rows: list[Row] = [
        ("a", "jana", [1, 2, 3]),
        ("a", "petr", [3, 2, 1]),
        ("b", "jana", [1, 2, 3]),
        ("b", "petr", [1, 2, 2]),
        ("c", "jana", [1, 2, 3]),
        ("c", "petr", [1, 2, G]),
        ("d", "jana", [1, 2]),
    ]

    worst, other = most_disputed(judged(rows))

    assert (worst.segment, worst.sentence, worst.judgements, worst.annotators) == (0, 1, 2, 2)
    assert (worst.agree, worst.reversed, worst.compared) == (0, 3, 3)
    assert (other.segment, other.agree, other.reversed, other.compared) == (1, 2, 0, 3)


def test_many_pairs_on_which_few_agree_come_before_a_single_one():
    rows: list[Row] = [
        ("a", "jana", [1, 2]),
        ("a", "petr", [1, 1]),
        ("b", "jana", [1, 2, 3, 4]),
        ("b", "petr", [4, 3, 2, 1]),
    ]

    assert [dispute.segment for dispute in most_disputed(judged(rows))] == [1, 0]
    assert len(most_disputed(judged(rows), limit=1)) == 1


def test_a_pair_that_disagrees_comes_before_six_of_which_two_agree():
    rows: list[Row] = [
        ("a", "jana", [1, 2, 3, 4]),
        ("a", "petr", [3, 4, 1, 2]),
        ("b", "jana", [1, 2]),
        ("b", "petr", [1, 1]),
    ]

    # (0 + 1) / (1 + 2) = .333 and (2 + 1) / (6 + 2) = .375.
    assert [dispute.segment for dispute in most_disputed(judged(rows))] == [1, 0]


def test_without_judgements_there_is_nothing():
    empty = judged([("a", "jana", [1, 2])]).select(judged([("a", "jana", [1, 2])]).repeats)

    assert most_disputed(empty) == []
    assert most_contrasting(empty) == []


@given(tables())
def test_it_counts_as_plain_loops_do(rows):
    found = {dispute.segment: dispute for dispute in most_disputed(judged(rows), limit=100)}
    names = sorted({row[0] for row in rows})
    for code, name in enumerate(names):
        agree = opposed = compared = 0
        for (_, _, left), (_, _, right) in combinations([r for r in rows if r[0] == name], 2):
            for x, y in combinations(range(len(left)), 2):
                one, other = order(left[x], left[y]), order(right[x], right[y])
                compared += 1
                agree += one == other
                opposed += one * other < 0
        if agree == compared:
            assert code not in found
        else:
            dispute = found[code]
            assert (dispute.agree, dispute.reversed, dispute.compared) == (agree, opposed, compared)


def test_systems_differ_most_where_one_wins_and_one_loses_again_and_again():
    rows: list[Row] = [
        ("a", "jana", [1, 2, 3]),
        ("b", "jana", [3, 2, 1]),
        ("c", "jana", [3, 2, 1]),
        ("d", "jana", [1, 1, 1]),
    ]
    sentences = {"a": 7, "b": 9, "c": 9, "d": 11}

    first, second = most_contrasting(judged(rows, systems="ABC", sentences=sentences))

    # Two segments, in which C wins four of four comparisons; and two are thought to have been ties.
    assert (first.sentence, first.judgements) == (9, 2)
    assert (first.best, first.worst) == ("C", "A")
    assert first.best_score == pytest.approx(4 / 6)
    assert first.worst_score == pytest.approx(-4 / 6)
    assert (second.sentence, second.best) == (7, "A")
    assert second.spread == pytest.approx(1.0)


@given(tables())
def test_the_best_system_scores_higher_than_the_worst(rows):
    for contrast in most_contrasting(judged(rows)):
        assert -1 < contrast.worst_score < contrast.best_score < 1

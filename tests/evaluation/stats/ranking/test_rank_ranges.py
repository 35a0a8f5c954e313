import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.ranking.rank_ranges import clusters, rank_ranges, ranks

NAN = np.nan


def test_a_rank_is_one_more_than_those_who_are_better():
    assert ranks(np.array([[0.2, 0.7, 0.7, 0.1]])).tolist() == [[3, 1, 1, 4]]


def test_whoever_has_no_score_has_no_rank_and_is_in_nobodys_way():
    assert ranks(np.array([[0.2, NAN, 0.7]]))[0] == pytest.approx([2, NAN, 1], nan_ok=True)


def test_the_order_of_an_addition_makes_no_rank():
    assert ranks(np.array([[0.1 + 0.2, 0.3]])).tolist() == [[1, 1]]


def test_the_best_and_the_worst_resamples_are_thrown_away():
    # B is better in the first 25 of 1000, then in 26.
    scores = np.tile([2.0, 1.0], (1000, 1))
    scores[:25] = [1.0, 2.0]
    assert rank_ranges(scores) == [(1, 1), (2, 2)]

    scores[25] = [1.0, 2.0]
    assert rank_ranges(scores) == [(1, 2), (1, 2)]


def test_a_system_without_a_rank_has_no_range():
    assert rank_ranges(np.array([[1.0, NAN], [1.0, NAN]])) == [(1, 1), None]
    assert rank_ranges(np.zeros((0, 2))) == [None, None]


@pytest.mark.parametrize(
    ("ranges", "numbers"),
    [
        ([(1, 1), (2, 2)], [1, 2]),
        ([(1, 2), (1, 2), (3, 3)], [1, 1, 2]),
        ([(1, 2), (2, 3), (3, 3)], [1, 1, 1]),
        # The first could be third: the second does not end its cluster, good as it is.
        ([(1, 3), (2, 2), (2, 3), (4, 5), (4, 5)], [1, 1, 1, 2, 2]),
        ([(1, 1), (1, 1)], [1, 1]),
        ([], []),
    ],
)
def test_a_cluster_ends_where_all_after_it_are_worse(ranges, numbers):
    assert clusters(ranges) == numbers


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), max_size=8))
def test_clusters_agree_with_their_definition(pairs):
    ranges = [(best, best + more) for best, more in pairs]

    ends = [
        i
        for i in range(len(ranges))
        if all(worst < best for _, worst in ranges[: i + 1] for best, _ in ranges[i + 1 :])
    ]
    assert clusters(ranges) == [1 + sum(end < i for end in ends) for i in range(len(ranges))]

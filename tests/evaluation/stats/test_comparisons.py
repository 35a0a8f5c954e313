import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import kendalltau

from evaluation.stats.comparisons import compare_judgements, count_ties
from tests.evaluation.tables import judged, order, tables


def tau_b(left, right):
    (found,) = compare_judgements(judged([("s", "jana", left), ("s", "petr", right)])).tau_b
    return found


def test_kendalls_tau_b_by_hand():
    assert tau_b([1, 2, 3], [1, 2, 3]) == 1
    assert tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert tau_b([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)
    # Of three pairs, two agree; one is tied on the right.
    assert tau_b([1, 2, 3], [1, 2, 2]) == pytest.approx(2 / math.sqrt(3 * 2))


def test_it_has_none_where_one_has_only_ties():
    assert math.isnan(tau_b([1, 1], [1, 2]))
    assert math.isnan(tau_b([1], [1]))


def test_only_candidates_that_both_ranked_are_compared():
    comparisons = compare_judgements(
        judged([("s", "jana", [1, 2, 0, 3]), ("s", "petr", [2, 1, 1, 0])])
    )

    assert (comparisons.agree.tolist(), comparisons.compared.tolist()) == ([0], [1])
    assert comparisons.tau_b.tolist() == [-1]


def test_whose_they_are_does_not_depend_on_the_order_of_rows():
    rows = [("s", "petr", [1, 2]), ("s", "jana", [1, 2]), ("s", "petr", [2, 1])]

    comparisons = compare_judgements(judged(rows))

    assert sorted(zip(comparisons.left, comparisons.right, strict=True)) == [(0, 1), (0, 1), (1, 1)]
    assert comparisons.by_one.tolist().count(True) == 1


def test_unidentified_annotators_are_not_compared():
    assert len(compare_judgements(judged([("s", None, [1, 2]), ("s", "jana", [1, 2])]))) == 0


@given(tables())
def test_it_agrees_with_scipy_and_plain_loops(rows):
    comparisons = compare_judgements(judged(rows))

    expected = []
    for (segment, one, left), (other_segment, other, right) in combinations(rows, 2):
        if segment == other_segment and None not in (one, other):
            outcomes = [
                (order(left[x], left[y]), order(right[x], right[y]))
                for x, y in combinations(range(len(left)), 2)
            ]
            tau = kendalltau(left, right).statistic if len(left) > 1 else np.nan
            expected.append((sum(x == y for x, y in outcomes), len(outcomes), nan_as_none(tau)))
    found = [
        (agree, compared, nan_as_none(tau))
        for agree, compared, tau in zip(
            comparisons.agree, comparisons.compared, comparisons.tau_b, strict=True
        )
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)


def nan_as_none(number):
    return None if math.isnan(number) else round(float(number), 9) + 0.0


@given(tables())
def test_ties_are_counted_a_judgement(rows):
    tied, untied = count_ties(judged(rows).candidate_ranks)

    for (_, _, ranks), found in zip(rows, zip(tied, untied, strict=True), strict=True):
        pairs = list(combinations(ranks, 2))
        ties = sum(x == y for x, y in pairs)
        assert found == (ties, len(pairs) - ties)

import math
from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.agreement.alpha import alpha, count_units, ordinal_alpha, pair_values
from evaluation.stats.resampling import number_sentences
from tests.evaluation.tables import judged, order, tables


def of(rows, measure=alpha, **options):
    judgements = judged(rows, **options)
    counts = count_units(judgements, *number_sentences(judgements.sentences))
    return float(measure(counts.sum(axis=0, keepdims=True))[0])


def nominal(margins, one, other):
    return float(one != other)


def ordinal(margins, one, other):
    """The values from the one to the other, of the two themselves a half, squared."""
    between = sum(margins[value] for value in range(min(one, other), max(one, other) + 1))
    return (between - (margins[one] + margins[other]) / 2) ** 2


def by_loops(rows, difference=nominal):
    """Krippendorff's coincidences, each pair of candidates in both directions."""
    units: dict[tuple[str, int, int], dict[str, int]] = defaultdict(dict)
    for segment, who, ranks in rows:
        for x, y in permutations(range(len(ranks)), 2):
            if who is not None:
                units[segment, x, y].setdefault(who, order(ranks[x], ranks[y]))
    coincidences: dict[tuple[int, int], float] = defaultdict(float)
    for values in units.values():
        for one, other in permutations(values.values(), 2):
            coincidences[one, other] += 1 / (len(values) - 1)
    count = sum(coincidences.values())
    margins: dict[int, float] = defaultdict(float)
    for (one, _), amount in coincidences.items():
        margins[one] += amount
    expected = sum(
        margins[x] * margins[y] * difference(margins, x, y) for x, y in permutations((-1, 0, 1), 2)
    )
    if not expected:
        return math.nan
    disagreeing = sum(
        amount * difference(margins, *pair) if pair[0] != pair[1] else 0
        for pair, amount in list(coincidences.items())
    )
    return 1 - (count - 1) * disagreeing / expected


def test_by_hand():
    # Two annotators agree on two of three pairs: in both directions there are 12 values, 2 of them
    # ties (1 of jana's and petr's pair each way), 5 worse and 5 better.
    rows = [("s", "jana", [1, 2, 3]), ("s", "petr", [1, 2, 2])]

    expected = (12**2 - 2**2 - 2 * 5**2) / (12 * 11)
    assert of(rows) == pytest.approx(1 - (4 / 12) / expected)


def test_a_tie_is_a_quarter_of_a_reversed_pair_for_the_ordinal_alpha():
    rows = [("s", "jana", [1, 2, 3]), ("s", "petr", [1, 2, 2])]

    # As above, 4 of 12 values differ, by a tie; by chance 2 · 5² pairs are reversed and 2 · 2 · 10
    # have one tie.
    expected = (2 * 5**2 + (2 * 2 * 10) / 4) / (12 * 11)
    assert of(rows, ordinal_alpha) == pytest.approx(1 - (4 / 4 / 12) / expected)


def test_the_first_judgement_of_each_annotator_counts():
    rows = [("s", "jana", [2, 1]), ("s", "petr", [1, 2]), ("s", "jana", [1, 2])]

    assert of(rows) < 0
    assert of(rows, created=[9.0, 2.0, 3.0]) == 1


def test_one_annotator_or_only_ties_is_undefined():
    assert math.isnan(of([("s", "jana", [1, 2]), ("s", "jana", [1, 2])]))
    assert math.isnan(of([("s", "jana", [1, 1]), ("s", "petr", [2, 2])]))
    assert math.isnan(of([]))


def test_the_units_and_their_values_are_counted():
    rows = [("s", "jana", [1, 2, 0]), ("s", "petr", [1, 1, 2]), ("s", "zuzana", [1, 2, 3])]
    judgements = judged(rows)

    ((disagreeing, tied, untied, units, opposed),) = count_units(
        judgements, np.zeros(3, dtype=np.int32), 1
    )

    # Three annotators compare one pair, and one of them ties; two compare two pairs.
    assert (tied, untied, units) == (1, 6, 3)
    assert (disagreeing, opposed) == (4 / 2, 0)


@given(tables())
def test_it_agrees_with_plain_loops(rows):
    assert of(rows) == pytest.approx(by_loops(rows), nan_ok=True)
    assert of(rows, ordinal_alpha) == pytest.approx(by_loops(rows, ordinal), nan_ok=True)


@given(tables())
def test_the_pairs_of_values_sum_to_the_counts_of_units(rows):
    judgements = judged(rows)
    counts = count_units(judgements, np.zeros(len(judgements), dtype=np.int32), 1)
    disagreeing, tied, untied, _units, opposed = counts[0]

    found = pair_values(judgements)

    assert found.reversed.sum() == pytest.approx(opposed)
    assert (found.reversed + found.one_tied).sum() == pytest.approx(disagreeing)
    assert found.compared.sum() == pytest.approx(tied + untied)
    assert (found.tied.sum(), found.untied.sum()) == (tied, untied)
    assert np.all(judgements.annotators[found.rows] != judgements.annotators[found.other_rows])

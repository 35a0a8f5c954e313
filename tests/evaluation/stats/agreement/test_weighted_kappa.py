from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.agreement.kappa import Chance, Undefined, measure_agreement
from evaluation.stats.agreement.weighted_kappa import (
    INTER,
    INTRA,
    LINEAR,
    QUADRATIC,
    Disagreement,
    count_disagreements,
    measure_disagreement,
    weighted_kappa,
)
from evaluation.stats.resampling import number_sentences
from tests.evaluation.tables import judged, order, tables


def test_the_whole_experiment_of_the_thesis():
    """Of 1377 disagreements of two annotators 651 are reversed pairs, and in 726 one has a tie."""
    inter = Disagreement(2392, 726, 651, Chance(tied=18391, untied=121400))

    assert inter.agreement.kappa == pytest.approx(0.397, abs=5e-4)
    assert inter.linear == pytest.approx(0.452, abs=5e-4)
    assert inter.quadratic == pytest.approx(0.491, abs=5e-4)
    assert inter.reversed_share == 651 / 1377


def test_by_hand():
    rows = [
        ("s", "jana", [1, 2, 3, 4]),
        ("s", "petr", [1, 1, 4, 3]),
        ("t", "jana", [1, 2]),
        ("t", "jana", [2, 1]),
    ]

    found = measure_disagreement(judged(rows))

    # One pair tied of 14; of the six pairs of s, one is tied once and one is reversed.
    assert found.inter == Disagreement(4, 1, 1, Chance(1, 13))
    assert found.intra == Disagreement(0, 0, 1, Chance(1, 13))
    reversed_by_chance = 2 * (13 / 28) ** 2
    tied_by_chance = 2 * (1 / 14) * (13 / 14)
    assert found.inter.linear == pytest.approx(
        1 - (1.5 / 6) / (reversed_by_chance + tied_by_chance / 2)
    )
    assert found.inter.quadratic == pytest.approx(
        1 - (1.25 / 6) / (reversed_by_chance + tied_by_chance / 4)
    )
    assert (found.inter.reversed_share, found.intra.reversed_share) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], Undefined.NOTHING_COMPARED),
        ([("s", "jana", [1, 2])], Undefined.NOTHING_COMPARED),
        ([("s", "jana", [1, 1]), ("s", "petr", [2, 2])], Undefined.ALL_TIED),
    ],
)
def test_nothing_to_compare_is_undefined(rows, why):
    found = measure_disagreement(judged(rows))

    assert found.inter.undefined == why
    assert found.inter.linear is found.inter.quadratic is found.inter.reversed_share is None
    assert found.nominal_alpha is found.ordinal_alpha is None


def test_counts_by_sentence_add_up_to_those_of_all():
    rows = [
        ("s", "jana", [1, 2]),
        ("s", "petr", [2, 1]),
        ("t", "jana", [1, 2]),
        ("t", "eva", [1, 1]),
    ]
    judgements = judged(rows)

    counts = count_disagreements(judgements, *number_sentences(judgements.sentences))

    assert counts[:, INTER].tolist() == [[0, 0, 1], [0, 1, 0]]
    assert not counts[:, INTRA].any()
    # Resamples of sentences: both, the first twice.
    sums = np.array([[1, 1], [2, 0]]) @ counts
    both, first = weighted_kappa(sums, INTER, LINEAR)
    assert both == pytest.approx(measure_disagreement(judgements).inter.linear)
    assert first == pytest.approx(1 - 1 / 0.5)


@given(tables())
def test_it_agrees_with_plain_loops(rows):
    judgements = judged(rows)
    found = measure_disagreement(judgements)
    nominal = measure_agreement(judgements)

    kinds = {True: [0, 0, 0], False: [0, 0, 0]}
    for (segment, one, left), (other_segment, other, right) in combinations(rows, 2):
        if segment == other_segment and None not in (one, other):
            for x, y in combinations(range(len(left)), 2):
                difference = abs(order(left[x], left[y]) - order(right[x], right[y]))
                kinds[one == other][difference] += 1

    for kind, same in ((found.intra, True), (found.inter, False)):
        assert [kind.agree, kind.one_tied, kind.reversed] == kinds[same]
    assert (found.intra.agreement, found.inter.agreement) == (nominal.intra, nominal.inter)
    counts = count_disagreements(judgements, *number_sentences(judgements.sentences))
    sums = counts.sum(axis=0, keepdims=True)
    for columns, kappa in ((INTRA, nominal.intra.kappa), (INTER, nominal.inter.kappa)):
        expected = np.nan if kappa is None else kappa
        assert weighted_kappa(sums, columns, 1.0)[0] == pytest.approx(expected, nan_ok=True)


def test_weights_are_those_of_the_distance():
    """Worse, tie and better are 0, 1 and 2: a tie is at half the distance."""
    assert (LINEAR, QUADRATIC) == (1 / 2, (1 / 2) ** 2)

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.agreement.kappa import Chance, Undefined, measure_agreement
from evaluation.stats.agreement.over_annotators import LINEAR, NO_WEIGHTS, QUADRATIC
from evaluation.stats.agreement.weighted_kappa import (
    COLUMNS,
    COUNTED,
    TIED,
    UNTIED,
    count_disagreements,
    measure_disagreement,
    weighted_kappa,
)
from evaluation.stats.comparisons import compare_judgements, count_ties
from evaluation.stats.resampling import number_sentences
from tests.evaluation.tables import judged, order, tables
from tests.load.evaluation import made_up


def test_the_whole_experiment_of_the_thesis():
    """Of 1377 disagreements of two annotators 651 are reversed pairs, and in 726 one has a tie."""
    sums = np.zeros((1, COUNTED))
    sums[0, [TIED, UNTIED]] = 18391, 121400
    sums[0, COLUMNS["inter"]] = 2392, 726, 651

    kappas = [
        weighted_kappa(sums, "inter", weight)[0] for weight in (NO_WEIGHTS, LINEAR, QUADRATIC)
    ]

    assert kappas == pytest.approx([0.397, 0.452, 0.491], abs=5e-4)


def test_by_hand():
    rows = [
        ("s", "jana", [1, 2, 3, 4]),
        ("s", "petr", [1, 1, 4, 3]),
        ("t", "jana", [1, 2]),
        ("t", "jana", [2, 1]),
    ]

    found = measure_disagreement(judged(rows))

    # One pair tied of 14; of the six pairs of s, one is tied once and one is reversed.
    inter, intra = found.inter, found.intra
    assert (inter.agree, inter.one_tied, inter.reversed, inter.chance) == (4, 1, 1, Chance(1, 13))
    assert (intra.agree, intra.one_tied, intra.reversed) == (0, 0, 1)
    reversed_by_chance = 2 * (13 / 28) ** 2
    tied_by_chance = 2 * (1 / 14) * (13 / 14)
    assert inter.linear.value == pytest.approx(
        1 - (1.5 / 6) / (reversed_by_chance + tied_by_chance / 2)
    )
    assert inter.quadratic.value == pytest.approx(
        1 - (1.25 / 6) / (reversed_by_chance + tied_by_chance / 4)
    )
    assert (inter.reversed_share.value, intra.reversed_share.value) == (0.5, 1.0)


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

    figures = (found.inter.linear, found.inter.quadratic)
    assert [(each.value, each.undefined) for each in figures] == [(None, why.value)] * 2
    assert found.inter.reversed_share.value is found.ordinal_alpha.value is None
    assert found.inter.reversed_share.undefined
    assert found.ordinal_alpha.undefined


def test_intervals_hold_for_other_sentences_and_other_annotators():
    judgements = made_up(3000, seed=2)

    found: Any = measure_disagreement(judgements)

    for estimate in (
        found.inter.linear,
        found.intra.quadratic,
        found.ordinal_alpha,
        found.inter.reversed_share,
        found.intra.reversed_share,
    ):
        assert estimate.wide_low < estimate.low < estimate.value < estimate.high
        assert estimate.high < estimate.wide_high


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
    for one, other in ((found.intra, nominal.intra), (found.inter, nominal.inter)):
        assert one.agreement == replace(other, sentences=None, only_ties=False)
    comparisons, ties = compare_judgements(judgements), count_ties(judgements.candidate_ranks)
    codes = number_sentences(judgements.sentences)
    sums = count_disagreements(comparisons, ties, *codes).sum(axis=0, keepdims=True)
    kappas = [weighted_kappa(sums, kind, NO_WEIGHTS)[0] for kind in COLUMNS]
    expected = (nominal.intra.kappa, nominal.inter.kappa)
    assert kappas == pytest.approx(
        [np.nan if kappa is None else kappa for kappa in expected], nan_ok=True
    )


def test_weights_are_those_of_the_distance():
    """Worse, tie and better are 0, 1 and 2: a tie is at half the distance."""
    assert (LINEAR, QUADRATIC) == (1 / 2, (1 / 2) ** 2)

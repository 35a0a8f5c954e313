from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binom

from evaluation.stats.ranking.significance import compare_pairs, holm, sign_flips
from tests.evaluation.tables import G, judged, tables_with_systems


def rows(wins, losses, ties=0):
    """As many sentences in which A won, lost and tied."""
    ranks = [[1, 2]] * wins + [[2, 1]] * losses + [[1, 1]] * ties
    return [(f"{number:03}", "jana", rank) for number, rank in enumerate(ranks)]


def test_it_counts_each_pair_of_systems():
    found = compare_pairs(judged(rows(6, 2, 4), systems="AB"))

    assert found.wins == ((0, 6), (2, 0))
    assert found.losses == ((0, 2), (6, 0))
    assert found.ties == ((0, 4), (4, 0))
    assert found.win_rate == ((None, 0.75), (0.25, None))


@pytest.mark.parametrize("sentences", [1, 2, 10, 35])
def test_of_sentences_all_won_p_is_that_of_one_sign(sentences):
    """Of 2ⁿ choices of signs, all + and all - are as far from 0."""
    found = compare_pairs(judged(rows(sentences, 0), systems="AB"))

    assert found.p[0][1] == found.p[1][0] == pytest.approx(2.0 ** (1 - sentences), rel=1e-4)


def test_p_is_never_0():
    assert compare_pairs(judged(rows(60, 0), systems="AB")).p[0][1] == 1e-12


def test_judgements_of_one_sentence_stand_or_fall_together():
    """Twenty judgements of one sentence prove nothing, twenty sentences do."""
    ranks = [(f"{number:03}", "jana", [1, 2]) for number in range(20)]
    one = judged(ranks, systems="AB", sentences={name: 1 for name, _, _ in ranks})

    assert compare_pairs(one).p[0][1] == pytest.approx(1)
    assert compare_pairs(judged(ranks, systems="AB")).p[0][1] == pytest.approx(2.0**-19)


def by_convolution(differences):
    """p by the whole distribution of the sum, in whole numbers."""
    distribution = Counter({0: 1})
    for difference in differences:
        moved: Counter[int] = Counter()
        for total, choices in distribution.items():
            moved[total + difference] += choices
            moved[total - difference] += choices
        distribution = moved
    observed = abs(sum(differences))
    as_far = sum(choices for total, choices in distribution.items() if abs(total) >= observed)
    return float(Fraction(as_far, 2 ** len(differences)))


@given(
    st.lists(st.integers(-4, 9) | st.integers(-60, 60), min_size=1, max_size=40),
    st.integers(1, 6),
)
@example([0, 0, 0], 1)
@example([3, -3], 1)
@example([5], 6)
def test_it_agrees_with_all_possible_signs(differences, factor):
    column = factor * np.array(differences, dtype=float)

    (p,) = sign_flips(column[:, None])

    assert p == pytest.approx(max(1e-12, by_convolution(differences)), abs=1e-14)


def test_many_sentences_agree_with_the_binomial_distribution():
    differences = np.ones((50_000, 3))
    for column, losses in enumerate((24_900, 24_600, 24_300)):
        differences[:losses, column] = -1

    found = sign_flips(differences)

    exact = [2 * binom.cdf(losses, 50_000, 0.5) for losses in (24_900, 24_600, 24_300)]
    assert found == pytest.approx(exact, abs=1e-13)


def test_holm_multiplies_the_smallest_by_all_and_never_goes_down():
    # By hand: 0.01 · 4, 0.02 · 3, 0.03 · 2 (raised to 0.06), 0.5 · 1.
    corrected = holm(np.array([0.5, 0.01, np.nan, 0.03, 0.02]))

    assert corrected == pytest.approx([0.5, 0.04, np.nan, 0.06, 0.06], nan_ok=True)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_agrees_with_its_definition(p):
    order = sorted(range(len(p)), key=lambda index: p[index])
    expected = {
        index: min(
            1, max(p[other] * (len(p) - place) for place, other in enumerate(order[: i + 1]))
        )
        for i, index in enumerate(order)
    }

    assert holm(np.array(p)) == pytest.approx([expected[index] for index in range(len(p))])


def test_what_cannot_be_tested_is_undefined_and_not_counted():
    table = [("s", "jana", [1, 2]), ("t", "jana", [1, 1]), ("u", "petr", [1, 2])]
    made = {"s": [0, 1, None, None], "t": [0, None, 1, None], "u": [0, 1, None, None]}

    found = compare_pairs(judged(table, systems="ABCD", made=made))

    assert found.undefined[0][1] == ""
    assert found.undefined[0][2] == "the two systems always tied"
    assert found.undefined[0][3] == "the two systems were never judged together"
    assert found.p[0][2] is found.p_holm[0][2] is found.win_rate[0][2] is None
    assert found.p_holm[0][1] == found.p[0][1]


@pytest.mark.parametrize(
    "table", [[], [("s", "jana", [1])], [("s", "jana", [G, G])], [("s", "jana", [2, 2])]]
)
def test_nothing_to_compare_is_undefined(table):
    found = compare_pairs(judged(table, systems="AB"))

    assert found.p == found.p_holm == found.win_rate == ((None, None), (None, None))


def test_its_signature_says_how_it_was_computed():
    assert compare_pairs(judged(rows(2, 1), systems="AB")).signature == (
        "sign flips of sentences|two-sided|exact to 1e-12|Holm over 1 pairs"
        "|1000 draws of weights|seed 0|judgements 3|sentences 3|SegRanks 1.0.0"
    )


@given(tables_with_systems(), st.permutations(range(3)))
def test_the_order_of_systems_changes_nothing(table, order):
    rows, made = table
    turned = {segment: [slots[index] for index in order] for segment, slots in made.items()}

    one = compare_pairs(judged(rows, systems="ABC", made=made))
    other = compare_pairs(judged(rows, systems=["ABC"[index] for index in order], made=turned))

    for x, y in product(range(3), repeat=2):
        for name in ("wins", "losses", "ties", "win_rate", "p", "p_holm"):
            assert getattr(other, name)[x][y] == getattr(one, name)[order[x]][order[y]]

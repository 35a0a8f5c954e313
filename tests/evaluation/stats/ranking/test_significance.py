from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_clear_difference_has_the_smallest_p_there_is():
    found = compare_pairs(judged(rows(100, 0), systems="AB"), resamples=999)

    assert found.p == ((None, 0.001), (0.001, None))
    assert found.least == 0.001


def test_judgements_of_one_sentence_stand_or_fall_together():
    """Twenty judgements of one sentence prove nothing, twenty sentences do."""
    ranks = [(f"{number:03}", "jana", [1, 2]) for number in range(20)]
    one = judged(ranks, systems="AB", sentences={name: 1 for name, _, _ in ranks})

    assert compare_pairs(one).p[0][1] == 1
    assert compare_pairs(judged(ranks, systems="AB")).p[0][1] == pytest.approx(0.001, abs=2e-6)


def test_it_agrees_with_all_possible_signs():
    differences = np.array([3.0, -1, 2, 2, 0, 5, -2, 1])
    sums = [abs(sum(differences * signs)) for signs in product([1, -1], repeat=8)]
    exact = np.mean([each >= differences.sum() for each in sums])

    (p,) = sign_flips(differences[:, None], draws=40_000, seed=0)

    assert p == pytest.approx(exact, abs=0.01)


def test_parts_change_nothing(monkeypatch):
    differences = np.random.default_rng(3).integers(-3, 5, (30, 4)).astype(float)
    whole = sign_flips(differences, draws=100, seed=2)

    monkeypatch.setattr("evaluation.stats.ranking.significance.SIGNS_AT_ONCE", 90)

    assert (sign_flips(differences, draws=100, seed=2) == whole).all()


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

    found = compare_pairs(judged(table, systems="ABCD", made=made), resamples=9)

    assert found.undefined(0, 1) == ""
    assert found.undefined(0, 2) == "the two systems always tied"
    assert found.undefined(0, 3) == "the two systems were never judged together"
    assert found.p[0][2] is found.p_holm[0][2] is found.win_rate[0][2] is None
    assert found.p_holm[0][1] == found.p[0][1]
    assert found.least == 0.1


@pytest.mark.parametrize(
    "table", [[], [("s", "jana", [1])], [("s", "jana", [G, G])], [("s", "jana", [2, 2])]]
)
def test_nothing_to_compare_is_undefined(table):
    found = compare_pairs(judged(table, systems="AB"), resamples=10)

    assert found.p == found.p_holm == found.win_rate == ((None, None), (None, None))
    assert found.least is None


def test_its_signature_says_how_it_was_computed():
    assert str(compare_pairs(judged(rows(2, 1), systems="AB"), resamples=10, seed=7).signature) == (
        "sign flips of sentences|two-sided|Holm over 1 pairs|10 draws|seed 7"
        "|judgements 3|sentences 3|SegRanks 0.1.0"
    )


@given(tables_with_systems(), st.permutations(range(3)))
def test_the_order_of_systems_changes_nothing(table, order):
    rows, made = table
    turned = {segment: [slots[index] for index in order] for segment, slots in made.items()}

    one = compare_pairs(judged(rows, systems="ABC", made=made), resamples=9)
    other = compare_pairs(
        judged(rows, systems=["ABC"[index] for index in order], made=turned), resamples=9
    )

    for x, y in product(range(3), repeat=2):
        for name in ("wins", "losses", "ties", "win_rate", "p", "p_holm"):
            assert getattr(other, name)[x][y] == getattr(one, name)[order[x]][order[y]]

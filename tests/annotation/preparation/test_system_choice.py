"""The systems of the next sheet, by what was judged so far, and the probabilities of the choice."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from annotation.preparation.system_choice import (
    Standing,
    choose_systems,
    inclusion_probabilities,
    set_probability,
    weights_of_ranks,
)


@pytest.mark.parametrize(("systems", "size"), [(12, 3), (12, 1), (5, 4), (20, 2)])
def test_probabilities_are_those_of_all_sets(systems, size):
    of_each = [0.0] * systems
    total = 0.0
    for places in combinations(range(systems), size):
        probability = set_probability(weights_of_ranks(systems), places)
        total += probability
        for place in places:
            of_each[place] += probability
    assert total == pytest.approx(1)
    assert inclusion_probabilities(weights_of_ranks(systems), size) == pytest.approx(
        of_each, abs=1e-9
    )


def test_the_two_best_have_the_same_weight():
    # 1/2, 1/2 and 1/3.
    assert inclusion_probabilities(weights_of_ranks(3), 1) == pytest.approx([3 / 8, 3 / 8, 1 / 4])


def test_systems_on_few_sheets_come_first_and_are_equally_probable():
    standings = [Standing(system, sheets=system, mean_rank=1.0) for system in range(10)]
    chosen = choose_systems(standings, size=3, first=5, rng=Random(0))
    assert set(chosen.systems) <= set(range(5))
    assert chosen.each == (3 / 5,) * 3
    assert chosen.together == pytest.approx(1 / 10)


def test_others_fill_up_what_new_ones_leave_at_random():
    standings = [Standing(0, 0, None), *(Standing(pk, 20, pk) for pk in (1, 2, 3))]
    chosen = choose_systems(standings, size=2, first=20, rng=Random(0))
    assert chosen.systems[0] == 0
    assert chosen.each == (1.0, 1 / 3)
    assert chosen.together == pytest.approx(1 / 3)


def test_systems_are_drawn_as_often_as_is_said():
    standings = [Standing(pk, 20, float(pk)) for pk in range(6)]
    drawn: Counter[int] = Counter()
    said: dict[int, float] = {}
    rng = Random(3)
    for _time in range(4000):
        chosen = choose_systems(standings, size=2, first=20, rng=rng)
        drawn.update(chosen.systems)
        said |= dict(zip(chosen.systems, chosen.each, strict=True))
    assert [drawn[pk] / 4000 for pk in range(6)] == pytest.approx(
        [said[pk] for pk in range(6)], abs=0.03
    )


def test_all_are_chosen_where_a_sheet_has_room():
    standings = [Standing(pk, 20, float(pk)) for pk in range(2)]
    chosen = choose_systems(standings, size=3, first=20, rng=Random(0))
    assert sorted(chosen.systems) == [0, 1]
    assert chosen.each == (1.0, 1.0)
    assert chosen.together == pytest.approx(1)

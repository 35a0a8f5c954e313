from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy.stats import binomtest, pearsonr

from evaluation.stats.annotators.sequence import ALWAYS_ALIKE, UNKNOWN_ORDER, sequence_effects
from tests.evaluation.tables import G, judged

RANKS = {0: [1, 2, 3, 4], 1: [1, 2, 3, G], 2: [1, 2, G, G], 3: [1, G, G, G], 4: [G, G, G, G]}


def one_after_another(garbage, who="jana"):
    """A screen a number, with so many candidates in the garbage."""
    return [(f"{who}{place:03}", who, RANKS[count]) for place, count in enumerate(garbage)]


def measured(rows, **options):
    return sequence_effects(judged(rows, created=range(len(rows)), **options))


def correlation_by_loops(people):
    """Pearson's formula about each annotator's mean, over pairs of screens."""
    xy = xx = yy = 0.0
    for garbage in people:
        shares = np.array(garbage) / 4 - np.mean(garbage) / 4
        for before, now in pairwise(shares):
            xy, xx, yy = xy + before * now, xx + before**2, yy + now**2
    return xy / np.sqrt(xx * yy)


def test_it_correlates_each_screen_with_the_one_before():
    people = {"jana": [0, 1, 1, 3, 2, 2, 0], "petr": [4, 4, 3, 1], "zuzana": [2]}
    rows = [row for who, garbage in people.items() for row in one_after_another(garbage, who)]

    found = measured(rows).garbage

    assert found.compared == 6 + 3
    assert found.correlation.value == pytest.approx(correlation_by_loops(people.values()))


def test_of_a_long_series_it_is_pearsons_correlation():
    garbage = np.random.default_rng(1).integers(0, 5, 2000)

    found = measured(one_after_another(garbage)).garbage

    expected = pearsonr(garbage[1:], garbage[:-1]).statistic
    assert found.correlation.value == pytest.approx(expected, abs=0.002)


def test_moods_that_last_are_seen():
    garbage = np.repeat(np.random.default_rng(2).integers(0, 5, 40), 5)

    found = measured(one_after_another(garbage)).garbage

    assert vars(found.correlation)["low"] > 0.5
    assert found.p == pytest.approx(1 / 1001)


def test_chance_is_slightly_negative_and_is_not_taken_for_an_effect():
    found = measured(one_after_another([0, 1, 2, 3, 4, 1, 0, 3, 2, 4])).garbage

    # Without the screen itself, those before it lie on the other side of the mean.
    assert found.by_chance == pytest.approx(-1 / 9, abs=0.05)
    assert vars(found)["p"] > 0.2


def test_p_agrees_with_all_permutations():
    garbage = [0, 0, 1, 3, 4, 4]
    every = np.array([correlation_by_loops([order]) for order in permutations(garbage)])
    value = correlation_by_loops([garbage])
    exact = np.mean(np.abs(every - every.mean()) >= abs(value - every.mean()) - 1e-9)

    found = sequence_effects(
        judged(one_after_another(garbage), created=range(6)), resamples=20_000
    ).garbage

    assert found.by_chance == pytest.approx(every.mean(), abs=0.01)
    assert found.p == pytest.approx(exact, abs=0.01)


def test_ties_are_measured_alike():
    rows = [
        (f"{number:03}", "jana", [1, 1] if number % 10 < 5 else [1, 2]) for number in range(100)
    ]

    found = measured(rows)

    # Pairs in the garbage tie as well; here there are none.
    assert found.ties.correlation.value == pytest.approx(0.6, abs=0.05)
    assert found.garbage.correlation.value is None
    assert found.garbage.correlation.undefined == ALWAYS_ALIKE


def test_a_screen_has_all_segments_of_a_sentence():
    rows = [("a", "jana", [1, G]), ("b", "jana", [G, G]), ("c", "jana", [1, 2])]

    found = measured(rows, sentences={"a": 1, "b": 1, "c": 2})

    # 3 of 4 and 0 of 2: two screens, one pair.
    assert found.garbage.compared == 1
    assert found.garbage.correlation.value == pytest.approx(-1)


def test_the_candidate_shown_first_may_be_preferred():
    ranks = [[1, 2]] * 60 + [[2, 1]] * 30 + [[2, 2]] * 10
    rows = [(f"{number:03}", "jana", each) for number, each in enumerate(ranks)]

    found = measured(rows, shown=[[1, 2]] * 100).place

    assert (found.earlier_better, found.later_better, found.tied) == (60, 30, 10)
    assert found.share.value == pytest.approx(2 / 3)
    ends = vars(found.share)
    assert 0.5 < ends["low"] < 2 / 3 < ends["high"]
    assert found.p == pytest.approx(binomtest(60, 90).pvalue)


def test_places_are_counted_by_plain_loops():
    random = np.random.default_rng(4)
    rows, shown = [], []
    expected = [0, 0, 0]
    for number in range(30):
        ranks = random.integers(1, 4, 4).tolist()
        places = random.permutation([1, 2, 3, 3]).tolist()
        rows.append((f"{number:02}", "jana", ranks))
        shown.append(places)
        for x in range(4):
            for y in range(4):
                if places[x] < places[y]:
                    sign = (ranks[x] > ranks[y]) - (ranks[x] < ranks[y])
                    expected[{-1: 0, 1: 1, 0: 2}[sign]] += 1

    found = measured(rows, shown=shown).place

    assert [found.earlier_better, found.later_better, found.tied] == expected


@pytest.mark.parametrize(
    "rows", [[], [("s", "jana", [1, 2])], [("s", None, [1, 2]), ("t", None, [2, 1])]]
)
def test_without_a_sequence_it_is_undefined(rows):
    found = measured(rows)

    for effect in (found.garbage, found.ties):
        assert effect.compared == 0
        assert effect.correlation.undefined == UNKNOWN_ORDER
        assert (effect.correlation.value, effect.by_chance, effect.p) == (None, None, None)
    assert found.place.share.value is found.place.p is None
    assert found.place.share.undefined


@pytest.mark.parametrize("ranks", [[G, G, G], [2, 2, 2]])
def test_all_garbage_and_all_ties_are_undefined(ranks):
    rows = [(name, "jana", ranks) for name in "stuv"]

    found = measured(rows, shown=[[1, 2, 3]] * 4)

    assert found.garbage.correlation.value is found.ties.correlation.value is None
    assert (found.place.tied, found.place.share.value) == (12, None)

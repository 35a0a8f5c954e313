from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.agreement.labels import (
    BETTER,
    EQUAL,
    NO_COMMON_ITEMS,
    NO_REPEATS,
    WORSE,
    measure_labels,
    preferences,
)
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.judgements import UNIDENTIFIED

YES, NO, NOT_SURE = range(3)


def judged(rows):
    """Item, annotator and label of each row; an item is a sentence."""
    items, annotators, labels = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    return ItemJudgements(items, annotators, items), labels


def test_labels_of_one_item_are_compared_in_all_pairs():
    rows = [(0, 0, YES), (0, 0, YES), (0, 1, NO), (1, 0, NO), (1, 1, NO), (2, 2, YES)]

    found = measure_labels(*judged(rows), count=2)

    assert (found.intra.agree, found.intra.compared, found.intra.items) == (1, 1, 1)
    assert (found.inter.agree, found.inter.compared, found.inter.items) == (1, 3, 2)
    assert found.inter.kappa.value == pytest.approx((1 / 3 - 1 / 2) / (1 / 2))


def test_labels_left_out_change_what_is_expected():
    rows = [(0, 0, YES), (0, 1, NOT_SURE), (0, 2, YES), (1, 0, YES), (1, 1, NO)]

    third = measure_labels(*judged(rows), count=3)
    half = measure_labels(*judged(rows), count=3, left_out={NOT_SURE})

    assert (third.expected, half.expected) == (1 / 3, 1 / 2)
    assert (third.inter.agree, third.inter.compared) == (1, 4)
    assert (half.inter.agree, half.inter.compared) == (1, 2)
    assert half.inter.kappa.value == 0
    assert "labels left out" in half.signature


def test_unidentified_annotators_are_not_compared():
    rows = [(0, UNIDENTIFIED, YES), (0, UNIDENTIFIED, YES), (0, 1, YES)]

    found = measure_labels(*judged(rows), count=2)

    assert found.intra.kappa.undefined == NO_REPEATS
    assert found.inter.kappa.undefined == NO_COMMON_ITEMS
    assert found.inter.observed is found.inter.kappa.value is None


def test_intervals_hold_for_other_sentences_and_other_annotators():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    # Three careful annotators, and one who is right half of the time.
    right = random.random((300, 4)) < [0.9, 0.9, 0.9, 0.5]
    labels = np.where(right, truth[:, None], 1 - truth[:, None])
    rows = [(item, who, labels[item, who]) for item in range(300) for who in range(4)]

    kappa = vars(measure_labels(*judged(rows), count=2).inter.kappa)

    # With two of the three agreeing in .82 of the items, and half of the pairs at random.
    assert kappa["value"] == pytest.approx(0.32, abs=0.05)
    assert kappa["low"] < 0.32 < kappa["high"]
    assert kappa["wide_low"] < kappa["low"] < kappa["high"] < kappa["wide_high"]


@pytest.mark.parametrize(("labels", "options"), [([2], {}), ([-1], {}), ([0], {"left_out": {0}})])
def test_codes_beyond_the_labels_and_a_single_label_are_refused(labels, options):
    with pytest.raises(ValueError, match="label"):
        measure_labels(*judged([(0, 0, label) for label in labels]), count=2, **options)


def test_grades_of_one_screen_are_read_as_preferences():
    screens = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    items = np.array([7, 5, 9, 5, 7], dtype=np.int32)
    scores = np.array([4, 2, np.nan, 3, 3])

    rows, pairs, labels = preferences(screens, items, scores)

    assert screens[rows].tolist() == [0, 1]
    assert len(set(pairs.tolist())) == 1
    # Of item 5: worse than 7 on the first screen, and equal on the second.
    assert labels.tolist() == [WORSE, EQUAL]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 4)), max_size=12))
def test_preferences_are_all_pairs_of_screens(rows):
    screens, items, scores = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    expected = sorted(
        (rows[x][0], *sorted((rows[x][1], rows[y][1])))
        for x, y in combinations(range(len(rows)), 2)
        if rows[x][0] == rows[y][0] and rows[x][1] != rows[y][1]
    )

    chosen, pairs, labels = preferences(screens, items, scores.astype(float))

    assert sorted(screens[chosen].tolist()) == [each[0] for each in expected]
    assert len(set(pairs.tolist())) == len({each[1:] for each in expected})
    assert set(labels.tolist()) <= {WORSE, EQUAL, BETTER}

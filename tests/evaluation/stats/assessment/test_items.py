from dataclasses import replace

import numpy as np
import pytest

from evaluation.stats.assessment.items import ItemType
from tests.evaluation.stats.assessment.tables import assessments

ROWS = ["jana/1 A s1 60", "jana/1 B s1 50", "jana/1 A s1 20 bad", "petr/1 A s1 70"]


def test_a_control_item_belongs_to_the_output_of_its_batch():
    rows = assessments([*ROWS, "petr/1 A s1 75 =", "petr/1 B s1 100 ref", "jana/2 A s1 30 bad"])

    assert rows.originals().tolist() == [0, 1, 0, 3, 3, -1, -1]
    assert rows.of(ItemType.DEGRADED).tolist() == [False, False, True, False, False, False, True]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"scores": np.array([1.0, 2.0, 3.0, 101.0])}, "not from 0 to 100"),
        ({"scores": np.array([1.0, 2.0, 3.0, np.nan])}, "not a finite number"),
        ({"scores": np.array([1.0])}, "4 pairs of 1 scores"),
        ({"systems": np.array([0, 1, 2, 0])}, "code of systems is not from 0 to 1"),
        ({"types": np.array([0, 1, 4, 0])}, "code of types is not from 0 to 3"),
        ({"seconds": np.array([1.0])}, "one time and one place"),
        ({"batch_seconds": np.array([1.0])}, "one time for each batch"),
        ({"batch_seconds": np.array([1.0, -1.0])}, "negative"),
        ({"batches": np.array([0, 0, 1, 1])}, "two annotators"),
    ],
)
def test_it_refuses_arrays_that_contradict_each_other(changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(assessments(ROWS), **changed)


def test_standardised_scores_may_be_negative():
    assert len(assessments(["jana/1 A s1 -0.5"], standardised=True)) == 1

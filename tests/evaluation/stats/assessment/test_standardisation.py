import numpy as np
import pytest

from evaluation.stats.assessment.standardisation import standardise
from tests.evaluation.stats.assessment.tables import assessments


def test_all_scores_of_an_annotator_count_and_equal_ones_are_dropped():
    rows = ["jana/1 A s1 60", "jana/1 A s1 20 bad", "jana/2 B s2 100 ref"]
    found = standardise(assessments([*rows, "petr/1 A s1 0.1", "petr/1 B s1 0.1", "eva/1 A s1 7"]))

    np.testing.assert_allclose(found.scores, [0, -1, 1, np.nan, np.nan, np.nan])
    assert [(each.annotator, each.assessments, each.mean) for each in found.scales] == [
        ("jana", 3, 60),
        ("petr", 2, 0.1),
        ("eva", 1, 7),
    ]
    assert [each.deviation for each in found.scales] == [pytest.approx(40), 0, None]
    assert [each.annotator for each in found.dropped] == ["petr", "eva"]


def test_standardised_scores_stay():
    given = assessments(["jana/1 A s1 -1.5", "jana/1 B s1 2"], standardised=True)
    assert standardise(given).scores.tolist() == [-1.5, 2]

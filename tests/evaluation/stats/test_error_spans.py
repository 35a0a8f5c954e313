import numpy as np
import pytest

from annotation.formats.error_points import EXPERTS, WMT24
from evaluation.stats.error_spans import score_errors


@pytest.mark.parametrize(
    ("category", "severity", "points"),
    [
        ("Accuracy/Mistranslation", "major", 5),
        ("Style/Awkward", "minor", 1),
        ("Fluency/Punctuation", "minor", 0.1),
        ("Fluency/Punctuation", "Major", 5),
        ("Non-translation!", "major", 25),
        ("Non-translation", "minor", 25),
        ("Non-translation!", "neutral", 0),
        ("Accuracy/Omission", "critical", 5),
        ("Style", "neutral", 0),
        ("", "", 0),
        ("Source error", "minor", 1),
        ("Creative Reinterpretation", "major", 5),
    ],
)
def test_errors_have_points_by_category_and_severity(category, severity, points):
    assert EXPERTS.of(category, severity) == points


def test_wmt24_does_not_count_errors_of_the_source_and_reinterpretations():
    assert WMT24.of("Source issue", "major") == WMT24.of("Creative Reinterpretation", "minor") == 0
    assert WMT24.of("Other", "major") == 5


def test_points_are_summed_by_rater_and_averaged_over_raters_then_segments():
    found = score_errors(
        systems=["B", "A", "A", "A", "A"],
        segments=["s10", "s2", "s2", "s2", "s10"],
        raters=["r1", "r1", "r1", "r2", "r1"],
        points=[4, 1, 5, 0, 0],
        weights=EXPERTS,
    )

    assert found.segments == ("s2", "s10")
    np.testing.assert_array_equal(found.segment_points, [[3, 0], [np.nan, 4]])
    assert found.raters.tolist() == [[2, 1], [0, 1]]
    assert found.system_points.tolist() == [1.5, 4]
    assert found.segments_rated.tolist() == [2, 1]
    assert "weights Freitag et al. 2021" in found.signature


def test_without_ratings_there_are_no_systems():
    found = score_errors(systems=[], segments=[], raters=[], points=[], weights=EXPERTS)

    assert found.systems == ()

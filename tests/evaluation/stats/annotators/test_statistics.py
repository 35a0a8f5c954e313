import math

import pytest
from django.conf import settings
from hypothesis import given

from evaluation.stats.annotators.statistics import describe
from evaluation.stats.estimates import VERSION
from tests.evaluation.tables import judged, tables


def test_sentences_are_different_ones_and_segments_count_repeats():
    rows = [("s", "jana", [1, 2]), ("t", "jana", [1, 2]), ("s", "jana", [1, 2])]
    statistics = describe(judged(rows, sentences={"s": 1, "t": 1}))

    (jana,) = statistics.annotators
    assert (jana.sentences, jana.judgements) == (1, 3)
    assert (statistics.sentences_judged, statistics.segments_judged) == (1, 2)
    assert statistics.judgements == 3


def test_times_of_ten_minutes_or_more_are_in_neither_the_sum_nor_the_divisor():
    rows = [("s", "jana", [1]), ("t", "jana", [1]), ("u", "jana", [1]), ("v", "jana", [1])]
    statistics = describe(judged(rows, seconds=[10, 600, 599, 4000]))

    (jana,) = statistics.annotators
    assert (jana.seconds, jana.timed, jana.seconds_per_segment) == (609, 2, 304.5)


def test_unknown_times_are_left_out():
    rows = [("s", "jana", [1]), ("t", "jana", [1])]
    statistics = describe(judged(rows, seconds=[10, math.nan]))

    (jana,) = statistics.annotators
    assert (jana.seconds, jana.seconds_per_segment) == (10, 10)


def test_no_known_time_is_undefined_not_zero():
    statistics = describe(judged([("s", "jana", [1])], seconds=[math.nan]))

    (jana,) = statistics.annotators
    assert jana.seconds is jana.seconds_per_segment is None
    assert statistics.together.seconds is statistics.together.seconds_per_segment is None


def test_annotators_stand_in_natural_order():
    rows = [(f"s{number}", f"annotator{number}", [1]) for number in (10, 2, 1, 21)]

    names = [row.annotator for row in describe(judged(rows)).annotators]

    assert names == ["annotator1", "annotator2", "annotator10", "annotator21"]


def test_together_counts_a_sentence_that_two_judged_once():
    rows = [("s", "jana", [1, 2]), ("s", "petr", [2, 1])]
    statistics = describe(judged(rows, seconds=[20, 40]))

    together = statistics.together
    assert (together.sentences, together.judgements) == (1, 2)
    assert together.seconds_per_segment == 30
    assert together.inter == statistics.agreement.inter


def test_unidentified_judgements_count_in_the_totals_and_in_no_row():
    statistics = describe(judged([("s", None, [1, 2]), ("t", "jana", [1, 2])]))

    assert (statistics.judgements, statistics.unidentified) == (2, 1)
    assert [row.annotator for row in statistics.annotators] == ["jana"]
    assert statistics.together.judgements == 1


def test_the_version_in_signatures_is_the_programs():
    assert settings.VERSION == VERSION


@given(tables())
def test_rows_add_up(rows):
    statistics = describe(judged(rows))

    segments = sum(row.judgements for row in statistics.annotators)
    assert segments + statistics.unidentified == statistics.judgements == len(rows)
    assert all(row.judgements for row in statistics.annotators)
    for row in statistics.annotators:
        judged_by_them = {segment for segment, who, _ in rows if who == row.annotator}
        assert row.sentences == len(judged_by_them)
        assert row.seconds == pytest.approx(60 * row.judgements)

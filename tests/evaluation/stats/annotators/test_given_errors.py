"""What became of errors that were marked before, and what they cost."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from annotation.formats.span_notation import Span, parse_spans
from evaluation.stats.annotators.given_errors import (
    Changes,
    JudgedTexts,
    compare,
    compare_work,
    total,
)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("", "", Changes()),
        ("0-5 minor", "0-5 minor", Changes(kept=1)),
        ("0-5 minor", "0-5 major", Changes(regraded=1)),
        ("0-5 minor", "3-8 minor", Changes(moved=1)),
        ("0-5 minor", "5-8 minor", Changes(deleted=1, added=1)),
        ("0-5 minor, 8-9 major", "", Changes(deleted=2)),
        ("", "0-5 minor, missing major", Changes(added=2)),
        ("missing minor", "missing major", Changes(regraded=1)),
        # One given error that was divided, and two that were joined: one of the two is its own.
        ("0-9 minor", "0-3 minor, 4-9 minor", Changes(moved=1, added=1)),
        ("0-3 minor, 4-9 minor", "0-9 minor", Changes(moved=1, deleted=1)),
        # What overlaps most comes first: 2-9 became 3-9, so that 0-2 is none of the two.
        ("0-1 minor, 2-9 minor", "0-2 major, 3-9 minor", Changes(moved=2)),
        ("0-4 minor, 4-10 minor", "3-10 minor", Changes(moved=1, deleted=1)),
    ],
)
def test_errors_are_compared_one_to_one(before: str, after: str, changes: Changes) -> None:
    assert compare(parse_spans(before), parse_spans(after)) == changes


def test_another_category_at_the_same_place_is_another_grade() -> None:
    given = [Span(0, 5, "minor", category="a"), Span(0, 5, "minor", category="b")]
    submitted = [Span(0, 5, "minor", category="b"), Span(0, 5, "minor", category="c")]
    assert compare(given, submitted) == Changes(kept=1, regraded=1)


def test_errors_of_source_and_translation_are_not_the_same() -> None:
    assert compare([Span(0, 5, "minor", "source")], [Span(0, 5, "minor")]) == Changes(
        deleted=1, added=1
    )


SPANS = some.lists(
    some.builds(
        lambda start, length, severity: Span(start, start + length, severity),
        some.integers(0, 12),
        some.integers(1, 5),
        some.sampled_from(["minor", "major"]),
    ),
    max_size=5,
)


@given(SPANS, SPANS)
def test_each_error_is_counted_once(before: list[Span], after: list[Span]) -> None:
    changes = compare(before, after)
    assert changes.given == len(before)
    assert changes.kept + changes.regraded + changes.moved + changes.added == len(after)
    assert compare(before, before) == Changes(kept=len(before))


def test_changes_are_summed() -> None:
    assert total([Changes(kept=1, added=2), Changes(kept=2, deleted=1)]) == Changes(3, 0, 0, 1, 2)
    assert total([]) == Changes()


def texts(**columns: object) -> JudgedTexts:
    values: dict[str, Any] = {
        "given": [True, True, False, False],
        "marks": [2, 2, 1, 0],
        "seconds": [10.0, 20.0, 40.0, 60.0],
        "scores": [80.0, 60.0, 90.0, 70.0],
        "units": [0, 1, 0, 1],
    } | columns
    arrays: dict[str, Any] = {name: np.array(value) for name, value in values.items()}
    return JudgedTexts(**arrays)


def test_work_with_and_without_is_compared() -> None:
    work = compare_work(texts())
    given, without, difference = work.given, work.without, work.difference
    assert (given.texts, without.texts, difference.texts) == (2, 2, 4)
    assert (given.seconds.value, without.seconds.value, difference.seconds.value) == (15, 50, -35)
    assert (given.median, without.median, difference.median) == (15, 50, -35)
    assert (given.per_mark.value, without.per_mark.value) == (7.5, 100)
    assert (given.marks.value, without.marks.value) == (2, 0.5)
    assert (given.score.value, without.score.value, difference.score.value) == (70, 80, -10)


def test_unknown_and_long_times_are_left_out() -> None:
    given = compare_work(texts(seconds=[10.0, np.nan, 40.0, 600.0]))
    assert (given.given.timed, given.without.timed) == (1, 1)
    assert (given.given.seconds.value, given.without.seconds.value) == (10, 40)
    # One text with two errors took ten seconds.
    assert given.given.per_mark.value == 5


def test_texts_without_scores_are_compared_by_the_rest() -> None:
    work = compare_work(texts(scores=[np.nan] * 4))
    assert work.given.score.value is work.difference.score.value is None
    assert work.difference.marks.value == 1.5


def test_figures_of_a_group_without_texts_are_undefined() -> None:
    work = compare_work(texts(given=[True] * 4))
    assert work.without.texts == 0
    assert work.without.seconds.value is None
    assert work.without.seconds.undefined
    assert work.difference.score.value is None


def test_a_constant_difference_lies_within_its_interval() -> None:
    random = np.random.default_rng(1)
    units = np.repeat(np.arange(50, dtype=np.int32), 4)
    given = np.tile([True, False, True, False], 50)
    scores = random.normal(70, 10, 200) - 5 * given
    work = compare_work(
        JudgedTexts(given, np.ones(200, int), np.full(200, 20.0), scores, units), seed=2
    )
    difference = work.difference.score
    assert difference.value == pytest.approx(scores[given].mean() - scores[~given].mean())
    assert difference.low is not None
    assert difference.high is not None
    assert difference.low < -5 < difference.high

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd, estimate_end

NOW = datetime(2026, 8, 3, 12, tzinfo=UTC)


def ends(left, judged, ago):
    return estimate_end(left=left, judged=judged, since=NOW - ago, now=NOW)


def test_the_pace_of_the_last_days_continues():
    # 20 a day for a week: 50 more take two days and a half.
    assert ends(50, 140, timedelta(days=7)) == EstimatedEnd(
        when=datetime(2026, 8, 6, tzinfo=UTC), a_day=20.0
    )


def test_during_the_first_day_hours_are_estimated():
    # 12 an hour.
    assert ends(60, 36, timedelta(hours=3)) == EstimatedEnd(hours=5.0)


def test_years_have_no_date():
    assert ends(100_000, 10, timedelta(days=7)) == EstimatedEnd(a_day=10 / 7, far=True)


@pytest.mark.parametrize(
    ("judged", "ago"), [(9, timedelta(days=7)), (0, timedelta(days=7)), (50, timedelta(minutes=9))]
)
def test_too_little_has_no_pace(judged, ago):
    assert ends(10, judged, ago) == EstimatedEnd(unknown=NoEnd.TOO_LITTLE)


def test_without_recent_judgements_there_is_no_end():
    assert estimate_end(left=5, judged=0, since=None, now=NOW).unknown == NoEnd.NOTHING_LATELY

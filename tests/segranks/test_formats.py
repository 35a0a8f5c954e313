"""Numbers and times in the languages of the pages."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone, translation

MOMENT = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "time", "date", "number"),
    [
        ("en", "22 November 2026, 14:05 UTC", "22 November 2026", "12,345"),
        ("cs", "22. 11. 2026 14:05 UTC", "22. 11. 2026", "12\u00a0345"),
    ],
)
def test_numbers_and_times_follow_the_language(
    language: str, time: str, date: str, number: str
) -> None:
    with translation.override(language):
        shown = render_to_string("annotation/_moment.html", {"moment": MOMENT})
        day = render_to_string("annotation/_moment.html", {"moment": MOMENT, "date_only": True})
        count = Template("{{ number }}").render(Context({"number": 12345}))
    assert shown == f'<time data-local="time" datetime="2026-11-22T14:05:00+00:00">{time}</time>'
    assert day == f'<time data-local="date" datetime="2026-11-22T14:05:00+00:00">{date}</time>'
    assert count == number


def test_a_time_is_in_the_current_time_zone_and_names_it() -> None:
    with timezone.override(ZoneInfo("Europe/Prague")), translation.override("cs"):
        shown = render_to_string("annotation/_moment.html", {"moment": MOMENT})
    assert ">22. 11. 2026 15:05 CET</time>" in shown

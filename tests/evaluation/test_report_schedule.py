"""Reports that the clock asks for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services import stored_reports
from evaluation.tasks import refresh_reports
from tests.evaluation.asked_reports import RANKS, asked, made, project, sent
from tests.evaluation.projects import submit

# Fixtures, which are used by their names.
__all__ = ["project", "sent"]

pytestmark = pytest.mark.django_db


def fail(*arguments):
    raise ValueError("no luck")


@pytest.mark.parametrize("made_before", [True, False])
def test_the_clock_asks_for_a_failing_report_once_an_interval(project, made_before):
    report = made(project, ReportOptions()) if made_before else asked(project, ReportOptions())
    stored_reports.set_schedule(project, "hour")
    StoredReport.objects.filter(made__isnull=False).update(made=timezone.now() - timedelta(hours=5))
    submit(project, project.memberships.get(user__username="jana").user, 2, RANKS)
    refresh_reports()
    stored_reports.compute(report.pk, fail)

    refresh_reports()
    report.refresh_from_db()
    assert (report.asked, report.begun) == (None, None)
    assert "no luck" in report.error
    StoredReport.objects.update(failed=timezone.now() - timedelta(minutes=61))
    refresh_reports()
    report.refresh_from_db()
    assert report.asked is not None
    assert report.failed is None


@pytest.mark.parametrize(
    ("every", "age", "expected"),
    [
        ("hour", timedelta(minutes=61), True),
        ("hour", timedelta(minutes=59), False),
        ("day", timedelta(hours=25), True),
        ("day", timedelta(hours=23), False),
        ("never", timedelta(days=300), False),
    ],
)
def test_reports_are_made_anew_on_schedule(project, every, age, expected):
    report = made(project, ReportOptions())
    stored_reports.set_schedule(project, every)
    StoredReport.objects.update(made=timezone.now() - age)
    submit(project, project.memberships.get(user__username="jana").user, 2, RANKS)

    refresh_reports()
    report.refresh_from_db()

    assert (report.asked is not None) == expected


def test_nothing_is_made_anew_where_nothing_was_judged(project):
    report = made(project, ReportOptions())
    stored_reports.set_schedule(project, "hour")
    StoredReport.objects.update(made=timezone.now() - timedelta(days=2))

    refresh_reports()
    report.refresh_from_db()

    assert report.asked is None


def test_the_first_report_of_a_schedule_is_asked_for(project, sent):
    stored_reports.set_schedule(project, "day")

    messages = sent(refresh_reports)

    assert messages == [(stored_reports.TASK, StoredReport.objects.get().pk)]


def test_the_clock_tells_workers_again(project, sent):
    report = asked(project)
    StoredReport.objects.update(told=None)

    assert sent(refresh_reports) == [(stored_reports.TASK, report.pk)]


def test_a_schedule_is_one_of_three(project):
    with pytest.raises(ValueError, match="sometimes"):
        stored_reports.set_schedule(project, "sometimes")
    assert stored_reports.schedule_of(project) == "never"

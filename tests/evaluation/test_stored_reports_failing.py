"""Reports that fail, and workers that are stopped, vanish or come too late."""

import pytest
from django.utils import timezone

from evaluation.models import StoredReport
from evaluation.services import stored_reports
from evaluation.services.report_computation import make_report
from evaluation.tasks import compute_report, refresh_reports
from tests.evaluation.asked_reports import asked, made, project, sent

# Fixtures, which are used by their names.
__all__ = ["project", "sent"]

pytestmark = pytest.mark.django_db


def test_a_failure_is_stored_and_the_former_data_stay(project):
    report = made(project)
    stored_reports.ask_again(report)

    def fail(*arguments):
        raise ValueError("no luck\nat all")

    stored_reports.compute(report.pk, fail)
    report.refresh_from_db()

    assert "ValueError: no luck (the server's log" in report.error
    assert report.data is not None
    assert report.asked is None
    stored_reports.ask_again(report)
    compute_report(report.pk)
    report.refresh_from_db()
    assert report.error == ""


def begin_in_vain(report):
    """Have a worker begin, who does not come to an end within everybody's patience."""

    def vanish(*arguments):
        StoredReport.objects.update(begun=timezone.now() - stored_reports.PATIENCE * 2)
        raise ValueError("too late for anybody to hear")

    stored_reports.compute(report.pk, vanish)
    report.refresh_from_db()


def test_a_report_that_no_worker_finishes_is_given_up(project, sent):
    report = asked(project)
    for attempt in range(stored_reports.MOST_ATTEMPTS):
        assert (report.attempts, report.error) == (attempt, "")
        begin_in_vain(report)

    assert sent(refresh_reports) == []
    report.refresh_from_db()
    assert report.error.startswith("The report was given up: 3 workers began with it, and none")
    assert (report.asked, report.begun) == (None, None)
    compute_report(report.pk)
    report.refresh_from_db()
    assert report.data is None

    stored_reports.ask_again(report)
    compute_report(report.pk)
    report.refresh_from_db()
    assert report.data is not None
    assert (report.error, report.attempts) == ("", 0)


def test_a_worker_that_is_stopped_is_no_attempt(project):
    report = asked(project)

    def stop(*arguments):
        raise SystemExit

    with pytest.raises(SystemExit):
        stored_reports.compute(report.pk, stop)
    report.refresh_from_db()

    assert (report.attempts, report.begun) == (0, None)
    assert report.asked is not None


def test_who_takes_too_long_stores_his_report_all_the_same(project):
    report = asked(project)

    def slowly(*arguments):
        # Another one has taken over, and is at it.
        StoredReport.objects.update(begun=timezone.now())
        return make_report(*arguments)

    stored_reports.compute(report.pk, slowly)
    report.refresh_from_db()

    assert report.data is not None
    assert (report.asked, report.error) == (None, "")
    assert report.begun is not None


def test_who_comes_too_late_stores_nothing(project):
    report = asked(project)

    def overtaken(*arguments):
        found = make_report(*arguments)
        StoredReport.objects.update(begun=timezone.now() - stored_reports.PATIENCE * 2)
        compute_report(report.pk)
        report.refresh_from_db()
        return found

    stored_reports.compute(report.pk, overtaken)
    first = report.made
    report.refresh_from_db()

    assert report.made == first is not None
    assert (report.asked, report.begun, report.attempts) == (None, None, 0)

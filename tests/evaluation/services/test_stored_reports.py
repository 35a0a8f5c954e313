"""Reports that are asked for, made by a worker, stored and forgotten."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.projects.deletion import delete_project
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services import stored_reports
from evaluation.services.report_computation import make_report
from evaluation.tasks import compute_report
from tests.evaluation.asked_reports import RANKS, asked, made, project, sent
from tests.evaluation.projects import revise, submit

# Fixtures, which are used by their names.
__all__ = ["project", "sent"]

pytestmark = pytest.mark.django_db


def test_a_report_that_was_never_made_is_asked_for(project, sent):
    messages = sent(asked, project)

    report = StoredReport.objects.get()
    assert messages == [(stored_reports.TASK, report.pk)]
    assert report.data is None
    assert report.asked is not None


def test_a_worker_stores_it_with_what_it_knows_of(project):
    report = made(project)

    assert report.error == ""
    assert report.asked is None
    assert report.begun is None
    assert report.judgements == 4
    assert report.signature == report.data["signature"]
    assert report.data["rankings"]["ratio_of_wins"]["systems"][0]["system"] == "A"
    assert stored_reports.new_since(report) == 0


def test_it_is_computed_once_whoever_is_told_twice(project):
    report = made(project)
    first = report.made

    compute_report(report.pk)
    report.refresh_from_db()

    assert report.made == first


@pytest.mark.parametrize("jump", [timedelta(hours=5), -timedelta(hours=5)])
def test_it_is_made_anew_and_once_where_the_clock_was_set(project, sent, jump):
    report = made(project)
    stored_reports.ask_again(report)
    with time_machine.travel(timezone.now() + jump):
        assert sent(compute_report, report.pk) == []
        former = report.made_from
        report.refresh_from_db()

        assert report.asked is None
        assert report.made_from != former


def test_one_whose_worker_is_gone_is_taken_over_where_the_clock_was_set_back(project):
    report = asked(project)
    StoredReport.objects.update(begun=timezone.now() + timedelta(hours=5))

    compute_report(report.pk)
    report.refresh_from_db()

    assert report.data is not None


def test_one_that_somebody_computes_is_left_alone(project):
    report = asked(project)
    StoredReport.objects.update(begun=timezone.now())

    compute_report(report.pk)
    report.refresh_from_db()

    assert report.data is None


def test_one_whose_worker_is_gone_is_taken_over(project):
    report = asked(project)
    StoredReport.objects.update(begun=timezone.now() - stored_reports.PATIENCE * 2)

    compute_report(report.pk)
    report.refresh_from_db()

    assert report.data is not None


def test_one_that_nobody_began_is_asked_for_again_by_the_next_view(project, sent):
    report = asked(project)

    assert sent(asked, project) == []
    StoredReport.objects.update(told=timezone.now() - stored_reports.TELL_AGAIN * 2)
    assert sent(asked, project) == [(stored_reports.TASK, report.pk)]


def test_one_that_is_made_is_not_asked_for_again_by_a_view(project, sent):
    made(project)

    assert sent(asked, project) == []


def test_what_is_asked_for_meanwhile_is_made_afterwards(project, sent):
    report = asked(project)

    def slowly(*arguments):
        stored_reports.ask_again(report)
        return make_report(*arguments)

    messages = sent(stored_reports.compute, report.pk, slowly)
    report.refresh_from_db()

    assert report.data is not None
    assert report.asked is not None
    assert (stored_reports.TASK, report.pk) in messages


def test_it_counts_what_was_judged_since_revisions_too(project):
    report = made(project)
    jana = project.memberships.get(user__username="jana").user
    assignment = submit(project, jana, 2, RANKS)
    revise(assignment, RANKS)

    assert stored_reports.new_since(report) == 2


def test_a_report_goes_with_its_project(project):
    report = made(project)
    stored_reports.set_schedule(project, "day")

    delete_project(project)
    compute_report(report.pk)

    assert not StoredReport.objects.exists()
    assert not ReportSchedule.objects.exists()


def test_each_choice_of_options_is_a_report_of_its_own(project):
    reports = {asked(project, ReportOptions(seed=seed)).pk for seed in (0, 1, 1)}

    assert len(reports) == 2


def test_old_ones_with_unusual_options_are_forgotten(project):
    usual = asked(project, ReportOptions())
    for seed in range(1, stored_reports.MOST_REPORTS + 5):
        asked(project, ReportOptions(seed=seed))

    assert StoredReport.objects.count() == stored_reports.MOST_REPORTS
    assert StoredReport.objects.filter(pk=usual.pk).exists()

from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest
import time_machine
from celery import current_app
from django.utils import timezone

from annotation.deleting import delete_project
from evaluation import stored_reports
from evaluation.making_reports import make_report
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import BadOption, ReportOptions, share
from evaluation.tasks import compute_report, refresh_reports
from tests.evaluation.projects import revise, submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
FEW = ReportOptions(resamples=20)


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, RANKS)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    return project


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """The messages to workers that were sent once the transactions inside were committed."""
    messages = []
    monkeypatch.setattr(
        current_app,
        "send_task",
        lambda name, arguments: messages.append((name, *arguments)),
    )

    def during(work, *arguments):
        messages.clear()
        with django_capture_on_commit_callbacks(execute=True):
            work(*arguments)
        return list(messages)

    return during


def asked(project, options=FEW):
    return stored_reports.report_of(project, options)


def made(project, options=FEW):
    report = asked(project, options)
    compute_report(report.pk)
    report.refresh_from_db()
    return report


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


@pytest.mark.parametrize(
    "options",
    [
        {"resamples": 0},
        {"resamples": 10**6},
        {"seed": -1},
        {"minimum_kappa": 1.5},
        {"minimum_kappa": float("nan")},
        {"minimum_controls": -0.1},
    ],
)
def test_options_that_mean_nothing_are_refused(options):
    with pytest.raises(BadOption):
        ReportOptions(**options)


def test_options_are_stored_and_read_again():
    options = ReportOptions(minimum_kappa=0.25, minimum_controls=0.8, repeats=False)

    assert ReportOptions.from_json(options.as_json()) == options
    assert options.key == (
        "resamples 1000|seed 0|κ at least 0.25|controls at least 0.8|without repeats"
    )


def test_shares_are_read_as_people_write_them():
    assert [share(text) for text in ("", "0,25", " 0.3 ")] == [None, 0.25, 0.3]
    for text in ("x", "nan", "inf"):
        with pytest.raises(BadOption):
            share(text)

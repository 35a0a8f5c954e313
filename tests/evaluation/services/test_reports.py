"""Stored reports: requested, computed by a worker, refreshed on schedule, and deleted."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from celery import current_app
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project, User
from annotation.projects.deletion import delete_project
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.findings.report import Report
from evaluation.models import ReportSchedule, StoredReport
from evaluation.services import reports
from evaluation.services.report_kinds import MadeReport, data_of, make_report
from evaluation.tasks import compute_report, refresh_reports
from tests.evaluation.projects import revise, submit
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

State = StoredReport.State
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
FEW = ReportOptions(resamples=100)
Sent = Callable[..., list[tuple[str, int]]]


@pytest.fixture
def project() -> Project:
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, RANKS)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    return project


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Sent:
    """Call a function, and return the tasks that it sent once its transactions were committed."""
    messages: list[Any] = []
    monkeypatch.setattr(
        current_app,
        "send_task",
        lambda name, arguments, **_options: messages.append((name, *arguments)),
    )

    def during(function: Callable[..., object], *arguments: object) -> list[tuple[str, int]]:
        messages.clear()
        with django_capture_on_commit_callbacks(execute=True):
            function(*arguments)
        return list(messages)

    return during


def requested(project: Project, options: ReportOptions = FEW) -> StoredReport:
    return reports.report_of(project, options)


def computed(project: Project, options: ReportOptions = FEW) -> StoredReport:
    report = requested(project, options)
    compute_report(report.pk)
    report.refresh_from_db()
    assert report.state == State.DONE
    return report


def judge_more(project: Project) -> None:
    submit(project, project.memberships.get(user__username="jana").user, 2, RANKS)


def fail(*_arguments: object) -> Any:
    raise ValueError("no luck\nat all")


# --- requests and computations ----------------------------------------------------------------


def test_a_new_report_is_queued_and_sent(project: Project, sent: Sent) -> None:
    messages = sent(requested, project)
    report = StoredReport.objects.get()
    assert messages == [(reports.TASK, report.pk)]
    assert (report.data, report.state) == (None, State.WAITING)
    assert report.is_unfinished


def test_a_computed_report_is_stored(project: Project, sent: Sent) -> None:
    report = computed(project)
    assert (report.error, report.judgements) == ("", 4)
    assert report.data
    assert report.signature == report.data["signature"]
    assert report.data["rankings"]["ratio_of_wins"]["systems"][0]["system"] == "A"
    assert reports.new_since(report) == 0
    assert sent(requested, project) == []


def at_work(reports: QuerySet[StoredReport], **fields: Any) -> None:
    """Let another worker compute the reports."""
    now = timezone.now()
    lease = {"worker": "another", "lease_until": now + timedelta(seconds=30)}
    reports.update(**{"state": State.RUNNING, "started": now, **lease, **fields})


@pytest.mark.parametrize("state", [State.DONE, State.RUNNING, State.FAILED])
def test_only_a_waiting_report_is_computed(project: Project, state: StoredReport.State) -> None:
    report = requested(project)
    if state == State.RUNNING:
        at_work(StoredReport.objects.all())
    else:
        StoredReport.objects.update(state=state)
    reports.compute(report.pk, fail)
    report.refresh_from_db()
    assert (report.state, report.error) == (state, "")


@pytest.mark.parametrize("problem", [None, ValueError("no luck")])
def test_a_report_requested_meanwhile_is_computed_again(
    project: Project, sent: Sent, problem: Exception | None
) -> None:
    report = requested(project)

    def request_meanwhile(*arguments: Any) -> Any:
        for _time in range(3):
            reports.request(report)
            assert (report.state, report.requested_again) == (State.RUNNING, True)
        if problem:
            raise problem
        return make_report(*arguments)

    messages = sent(reports.compute, report.pk, request_meanwhile)
    assert messages == [(reports.TASK, report.pk)]
    report.refresh_from_db()
    assert (report.state, report.error, bool(report.data)) == (State.WAITING, "", not problem)
    compute_report(report.pk)
    report.refresh_from_db()
    assert (report.state, report.requested_again) == (State.DONE, False)


def test_a_queued_report_is_not_sent_twice(project: Project, sent: Sent) -> None:
    report = requested(project)
    assert sent(reports.request, report) == []


def test_a_queued_report_waits_for_those_before_it(project: Project) -> None:
    first, second = requested(project), requested(project, ReportOptions(resamples=200))
    third = requested(project, ReportOptions(resamples=300))
    assert [reports.count_before(report) for report in (first, second, third)] == [0, 1, 2]
    at_work(StoredReport.objects.filter(pk=third.pk))
    assert reports.count_before(first) == 1
    compute_report(first.pk)
    assert reports.count_before(second) == 1


def test_a_late_computation_stores_nothing(project: Project) -> None:
    report = requested(project)

    def overtaken(*_arguments: Any) -> Any:
        # As where it could not renew its lease.
        StoredReport.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        compute_report(report.pk)
        return fail()

    reports.compute(report.pk, overtaken)
    report.refresh_from_db()
    assert (report.state, report.error) == (State.DONE, "")


def test_an_error_is_stored_and_the_former_data_stay(project: Project) -> None:
    report = computed(project)
    reports.request(report)
    reports.compute(report.pk, fail)
    report.refresh_from_db()
    assert report.state == State.FAILED
    assert "ValueError: no luck (the server's log" in report.error
    assert report.data is not None
    reports.request(report)
    compute_report(report.pk)
    report.refresh_from_db()
    assert (report.state, report.error) == (State.DONE, "")


@pytest.mark.parametrize("problem", [SystemExit(), OperationalError("It is away.")])
def test_a_computation_that_is_stopped_is_queued_again(
    project: Project, problem: BaseException
) -> None:
    report = requested(project)

    def stop(*_arguments: object) -> Any:
        raise problem

    with pytest.raises(type(problem)):
        reports.compute(report.pk, stop)
    report.refresh_from_db()
    assert report.state == State.WAITING


def test_a_report_by_documents_fails_where_a_new_judgement_has_none(project: Project) -> None:
    project.sentences.filter(number=1).update(document="news")
    report = requested(project, ReportOptions(resamples=100, unit="document"))
    submit(project, User.objects.get(username="jana"), 2, RANKS)

    reports.compute(report.pk)

    report.refresh_from_db()
    assert report.state == State.FAILED
    assert "1 of 2" in report.error
    with pytest.raises(BadOption, match="1 of 2"):
        reports.report_of(project, ReportOptions(unit="document"))


def test_revisions_count_as_new_judgements(project: Project) -> None:
    report = computed(project)
    jana = project.memberships.get(user__username="jana").user
    revise(submit(project, jana, 2, RANKS), RANKS)
    assert reports.new_since(report) == 2


def test_an_empty_report_is_requested_again_once_something_is_judged(sent: Sent) -> None:
    project = make_project()
    jana = make_annotator(project)
    report = computed(project)
    assert sent(requested, project) == []
    submit(project, jana, 1, RANKS)
    assert sent(requested, project) == [(reports.TASK, report.pk)]
    assert computed(project).judgements == 2
    submit(project, jana, 2, RANKS)
    assert sent(requested, project) == []


def test_a_report_that_a_former_version_made_in_another_shape_is_requested_again(
    project: Project, sent: Sent, client: Client
) -> None:
    report = computed(project, ReportOptions())
    assert isinstance(data_of(report), Report)
    assert sent(requested, project, ReportOptions()) == []
    StoredReport.objects.update(shape="former")
    report.refresh_from_db()

    assert data_of(report) is None
    assert reports.is_outdated(report)
    assert sent(requested, project, ReportOptions()) == [(reports.TASK, report.pk)]
    client.force_login(make_annotator(project, "boss", "administrator"))
    assert client.get(reverse("report", args=[project.pk])).status_code == 200

    compute_report(report.pk)
    report.refresh_from_db()
    assert isinstance(data_of(report), Report)


# --- the schedule -----------------------------------------------------------------------------


def test_beat_sends_again_what_no_worker_has_begun(project: Project, sent: Sent) -> None:
    report = requested(project)
    assert sent(refresh_reports) == []
    StoredReport.objects.update(requested=timezone.now() - timedelta(minutes=1))
    assert sent(refresh_reports) == [(reports.TASK, report.pk)]


def test_a_report_that_loses_its_worker_is_computed_again_and_fails_in_the_end(
    project: Project, sent: Sent
) -> None:
    report = requested(project)
    minute = timedelta(minutes=1)
    StoredReport.objects.update(requested=timezone.now() - minute)
    messages = []
    for attempt in range(1, reports.MAX_ATTEMPTS + 1):
        # A killed worker stores nothing.
        expired = timezone.now() - timedelta(seconds=1)
        at_work(StoredReport.objects.all(), lease_until=expired, attempts=attempt)
        messages.append(sent(refresh_reports))
    assert messages == [[(reports.TASK, report.pk)], [(reports.TASK, report.pk)], []]
    report.refresh_from_db()
    assert report.state == State.FAILED
    assert report.error
    reports.request(report)
    compute_report(report.pk)
    report.refresh_from_db()
    assert (report.state, report.attempts) == (State.DONE, 1)


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
@pytest.mark.parametrize("state", [State.DONE, State.FAILED])
def test_reports_are_refreshed_on_schedule(
    project: Project, every: str, age: timedelta, expected: bool, state: StoredReport.State
) -> None:
    report = computed(project, ReportOptions())
    reports.set_schedule(project, every)
    before = timezone.now() - age
    StoredReport.objects.update(made=before, requested=before, state=state)
    judge_more(project)
    refresh_reports()
    report.refresh_from_db()
    assert (report.state == State.WAITING) == expected


def test_a_report_is_not_refreshed_without_new_judgements(project: Project) -> None:
    report = computed(project, ReportOptions())
    reports.set_schedule(project, "hour")
    StoredReport.objects.update(made=timezone.now() - timedelta(days=2))
    refresh_reports()
    report.refresh_from_db()
    assert report.state == State.DONE


def test_a_schedule_requests_the_first_report(project: Project, sent: Sent) -> None:
    reports.set_schedule(project, "day")
    assert sent(refresh_reports) == [(reports.TASK, StoredReport.objects.get().pk)]


def test_an_unknown_schedule_is_refused(project: Project) -> None:
    with pytest.raises(ValueError, match="sometimes"):
        reports.set_schedule(project, "sometimes")
    assert reports.schedule_of(project) == "never"


# --- deletion ---------------------------------------------------------------------------------


def test_a_report_is_deleted_with_its_project(project: Project) -> None:
    report = computed(project)
    reports.set_schedule(project, "day")
    delete_project(project)
    compute_report(report.pk)
    assert not StoredReport.objects.exists()
    assert not ReportSchedule.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_computes_the_report() -> None:
    project = make_project(sentences=0)
    report = reports.report_of(project, FEW)
    together, made = Barrier(6), []

    def make(project: Project, options: ReportOptions) -> MadeReport[Report]:
        made.append(project)
        return make_report(project, options)

    def work(_number: int) -> None:
        connection.ensure_connection()
        together.wait()
        try:
            reports.compute(report.pk, make)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    assert len(made) == 1


# --- limits of a person -----------------------------------------------------------------------


def ready(project: Project, by: User, seed: int) -> StoredReport:
    report = reports.report_of(project, ReportOptions(seed=seed), by=by)
    StoredReport.objects.filter(pk=report.pk).update(state=State.DONE)
    return report


def test_a_person_deletes_only_their_own_old_reports(project: Project) -> None:
    jana, petr = (User.objects.get(username=name) for name in ("jana", "petr"))
    kept = [requested(project, ReportOptions()), requested(project), ready(project, jana, 1)]
    his = [ready(project, petr, seed) for seed in range(2, reports.MAX_REPORTS + 4)]
    left = set(StoredReport.objects.values_list("pk", flat=True))
    assert left == {report.pk for report in kept + his[-reports.MAX_REPORTS :]}


def test_a_person_does_not_take_over_what_another_requested_first(project: Project) -> None:
    jana, petr = (User.objects.get(username=name) for name in ("jana", "petr"))
    hers = ready(project, jana, 1)
    for seed in range(1, reports.MAX_REPORTS + 3):
        reports.request(ready(project, petr, seed), by=petr)
        StoredReport.objects.update(state=State.DONE)
    assert StoredReport.objects.get(pk=hers.pk).created_by == jana


@pytest.mark.parametrize("state", StoredReport.UNFINISHED)
def test_a_person_has_two_waiting_reports_in_all_projects(
    project: Project, state: StoredReport.State
) -> None:
    jana, other = User.objects.get(username="jana"), make_project("Other")
    waiting = reports.report_of(project, ReportOptions(seed=1), by=jana)
    finished = ready(project, jana, 2)
    reports.report_of(other, ReportOptions(seed=1), by=jana)
    if state == State.RUNNING:
        at_work(StoredReport.objects.filter(state=State.WAITING))
    before = StoredReport.objects.count()

    with pytest.raises(reports.TooManyWaiting):
        reports.report_of(other, ReportOptions(seed=2), by=jana)
    with pytest.raises(reports.TooManyWaiting):
        reports.request(finished, by=jana)

    assert StoredReport.objects.count() == before
    # What waits already, what is finished, the project's own report, and other people are free.
    reports.request(waiting, by=jana)
    assert reports.report_of(project, ReportOptions(seed=2), by=jana) == finished
    assert reports.report_of(other, ReportOptions(), by=jana).requested_by is None
    reports.report_of(other, ReportOptions(seed=2), by=User.objects.get(username="petr"))


def test_a_person_cannot_go_on_with_the_reports_of_others(project: Project) -> None:
    jana, petr = (User.objects.get(username=name) for name in ("jana", "petr"))
    for seed in (1, 2):
        reports.report_of(project, ReportOptions(seed=seed), by=petr)
    hers = reports.report_of(project, ReportOptions(seed=3), by=jana)
    at_work(StoredReport.objects.all())
    with pytest.raises(reports.TooManyWaiting):
        reports.request(hers, by=petr)


@pytest.mark.django_db(transaction=True)
def test_a_person_who_asks_many_times_at_once_has_two_waiting_reports() -> None:
    project = make_project(sentences=0)
    jana = make_annotator(project)

    def ask(seed: int) -> bool:
        try:
            reports.report_of(project, ReportOptions(seed=seed), by=jana)
        except reports.TooManyWaiting:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as threads:
        asked = list(threads.map(ask, range(1, 7)))
    assert asked.count(True) == StoredReport.objects.count() == reports.MAX_WAITING

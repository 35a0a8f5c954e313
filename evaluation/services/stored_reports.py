"""Stored reports: requested by people or by a schedule, computed by a worker.

`request` queues a report and sends a task. The beat task `refresh_reports` sends it again where no
worker has begun for RESEND_AFTER. A report that has been running for longer than TIME_LIMIT has
lost its worker: it is queued again, and fails after MAX_ATTEMPTS.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from logging import getLogger
from time import perf_counter
from typing import Any, Final

from celery import current_app
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import Project
from annotation.selectors.judged_sentences import judged_since, last_submission
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services.report_computation import MadeReport, make_report

log = getLogger(__name__)

Make = Callable[[Project, ReportOptions], MadeReport]
State = StoredReport.State

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.compute_report"
RESEND_AFTER: Final = timedelta(seconds=30)
# In minutes; then Celery ends the task.
TIME_LIMIT: Final = 30
MAX_ATTEMPTS: Final = 3
# Of one project; those that were computed longest ago are deleted first.
MAX_REPORTS: Final = 20
INTERVALS: Final = {
    ReportSchedule.Every.HOUR: timedelta(hours=1),
    ReportSchedule.Every.DAY: timedelta(days=1),
}


def report_of(project: Project, options: ReportOptions) -> StoredReport:
    """Return the project's report with these options, and request one that is new."""
    report, is_new = StoredReport.objects.get_or_create(
        project=project, key=options.key, defaults={"options": options.as_json()}
    )
    report.project = project
    if is_new:
        _delete_oldest(project)
        _send(report.pk)
    return report


def request(report: StoredReport) -> None:
    """Queue the report, to be computed from what is judged when a worker begins.

    A computation in progress is then not stored.
    """
    report.state, report.requested, report.started = State.QUEUED, timezone.now(), None
    report.error, report.attempts = "", 0
    report.save(update_fields=["state", "requested", "started", "error", "attempts"])
    _send(report.pk)


def compute(report_id: int, make: Make = make_report) -> None:
    """Compute the report and store it, where it is queued.

    An error is stored with the report, and the former data stay.
    """
    started = timezone.now()
    queued = StoredReport.objects.filter(pk=report_id, state=State.QUEUED)
    if not queued.update(state=State.RUNNING, started=started, attempts=F("attempts") + 1):
        return
    ours = StoredReport.objects.filter(pk=report_id, state=State.RUNNING, started=started)
    try:
        report = StoredReport.objects.select_related("project").defer("data").get(pk=report_id)
        ours.update(**_values(report, make))
    except (Project.DoesNotExist, StoredReport.DoesNotExist):
        # The project was deleted meanwhile.
        return
    except (OperationalError, InterfaceError):
        # The next query opens a new connection: the database may have been restarted.
        if not connection.in_atomic_block:
            connection.close()
        with suppress(DatabaseError):
            ours.update(state=State.QUEUED, started=None)
        raise
    except Exception as problem:
        log.exception("Report %s could not be computed.", report_id)
        ours.update(state=State.FAILED, error=_error_message(problem))
    except BaseException:
        ours.update(state=State.QUEUED, started=None)
        raise


def refresh_due() -> None:
    """Request the reports that are due by their schedule, and see to those without a worker.

    A report is due where something was judged since it was made. A failed one waits for the same
    interval.
    """
    now = timezone.now()
    for every, interval in INTERVALS.items():
        is_old = Q(state=State.READY, made__lte=now - interval)
        has_failed = Q(state=State.FAILED, requested__lte=now - interval)
        due = StoredReport.objects.filter(
            is_old | has_failed, project__report_schedule__every=every, key=ReportOptions().key
        )
        for report in due.select_related("project").defer("data"):
            if last_submission(report.project) > report.last_submission:
                request(report)
    for project in Project.objects.filter(
        report_schedule__every__in=INTERVALS, state__in=(Project.State.OPEN, Project.State.CLOSED)
    ).exclude(reports__key=ReportOptions().key):
        report_of(project, ReportOptions())
    lost = StoredReport.objects.filter(
        state=State.RUNNING, started__lt=now - timedelta(minutes=TIME_LIMIT)
    )
    lost.filter(attempts__lt=MAX_ATTEMPTS).update(state=State.QUEUED, started=None)
    lost.update(
        state=State.FAILED,
        error=f"The report was begun {MAX_ATTEMPTS} times and not finished within {TIME_LIMIT} "
        "minutes. Request it with fewer resamples, or on a faster machine.",
    )
    unsent = StoredReport.objects.filter(state=State.QUEUED, requested__lt=now - RESEND_AFTER)
    for pk in unsent.values_list("pk", flat=True):
        _send(pk, expires=RESEND_AFTER.total_seconds())


def requeue_running() -> None:
    """Queue what a process was computing that is known to have ended."""
    StoredReport.objects.filter(state=State.RUNNING).update(state=State.QUEUED, started=None)


def set_schedule(project: Project, every: str) -> None:
    """Set how often the project's report is refreshed. Raises ValueError for an unknown choice."""
    chosen = ReportSchedule.Every(every)
    ReportSchedule.objects.update_or_create(project=project, defaults={"every": chosen})


def schedule_of(project: Project) -> ReportSchedule.Every:
    schedule = ReportSchedule.objects.filter(project=project).first()
    return ReportSchedule.Every(schedule.every) if schedule else ReportSchedule.Every.NEVER


def new_since(report: StoredReport) -> int:
    """Return how many judgements are newer than the report."""
    return judged_since(report.project, report.last_submission)


def _send(report_id: int, **options: Any) -> None:
    transaction.on_commit(partial(_send_now, report_id, **options))


def _send_now(report_id: int, **options: Any) -> None:
    try:
        current_app.send_task(TASK, [report_id], **options)
    except BrokerError as problem:
        log.warning("The broker does not answer: report %s has to wait. %s", report_id, problem)


def _values(report: StoredReport, make: Make) -> dict[str, object]:
    started = perf_counter()
    made = make(report.project, ReportOptions.from_json(report.options))
    return {
        "state": State.READY,
        "data": made.data,
        "made": timezone.now(),
        "signature": made.data["signature"],
        "seconds": perf_counter() - started,
        "judgements": made.judgements,
        "last_submission": made.last_submission,
        "error": "",
    }


def _error_message(problem: Exception) -> str:
    first_line = (str(problem).strip().splitlines() or ["no message"])[0]
    return (
        f"The report stopped at an unexpected error, {type(problem).__name__}: {first_line} "
        "(the server's log has the details)."
    )


def _delete_oldest(project: Project) -> None:
    reports = StoredReport.objects.filter(project=project).exclude(key=ReportOptions().key)
    newest = reports.order_by(F("made").desc(nulls_first=True), "-pk")[: MAX_REPORTS - 1]
    reports.exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()

"""Reports of a project: computed from the present judgements, stored, and refreshed on schedule.

`request` queues a stored report and sends a task. The beat task `refresh_reports` sends it again
where no worker has begun for RESEND_AFTER. A report that has been running for longer than
TIME_LIMIT has lost its worker: it is queued again, and fails after MAX_ATTEMPTS.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from time import perf_counter
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import F, Q
from django.utils import timezone

from annotation.common.task_queue import send_task
from annotation.common.transactions import snapshot
from annotation.models import Project
from annotation.selectors import judgements as selectors
from annotation.selectors.judged_sentences import judged_since, last_submission, segment_words
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report import contents
from evaluation.report.options import ReportOptions
from evaluation.report.plain import as_json
from evaluation.report.shape import ReportData
from evaluation.services.findings import provenance
from evaluation.services.loading import load, load_controls

log = getLogger(__name__)

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


@dataclass(frozen=True)
class MadeReport:
    """A report, and the id of the last submission that is in it."""

    data: ReportData
    last_submission: int


Make = Callable[[Project, ReportOptions], MadeReport]


def make_report(project: Project, options: ReportOptions) -> MadeReport:
    """Load the judgements, of one moment, and compute the report: seconds to minutes.

    Raises Project.DoesNotExist where the project was deleted.
    """
    begun = perf_counter()
    with snapshot():
        summary = selectors.project_summary(project)
        left = selectors.sentences_left(project)
        latest = last_submission(project)
        judgements = load(project)
        controls = load_controls(project)
    loaded = perf_counter()
    report = contents.compute(judgements, controls, options)
    data = as_json(
        report,
        project={
            "name": summary.name,
            "source_language": summary.source_language,
            "target_language": summary.target_language,
            "systems": summary.systems,
            "sentences": summary.sentences,
            "segments": summary.segments,
            "candidates": summary.candidates,
            "prepared": provenance(project),
        },
        sentences=judgements.sentences_judged + left,
        sentences_left=left,
        made=timezone.now().isoformat(timespec="seconds"),
        words=segment_words([dispute.segment for dispute in report.disputed]),
    )
    data["seconds"] = {
        "loading": round(loaded - begun, 4),
        **data["seconds"],
        "total": round(perf_counter() - begun, 4),
    }
    return MadeReport(data, latest)


def report_of(project: Project, options: ReportOptions) -> StoredReport:
    """Return the project's report with these options, and request one that is new."""
    report, is_new = StoredReport.objects.get_or_create(
        project=project, key=options.key, defaults={"options": options.as_json()}
    )
    report.project = project
    if is_new:
        reports = StoredReport.objects.filter(project=project).exclude(key=ReportOptions().key)
        newest = reports.order_by(F("made").desc(nulls_first=True), "-pk")[: MAX_REPORTS - 1]
        reports.exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()
        send_task(TASK, report.pk)
    return report


def request(report: StoredReport) -> None:
    """Queue the report, to be computed from what is judged when a worker begins.

    A computation in progress is then not stored.
    """
    report.state, report.requested, report.started = State.QUEUED, timezone.now(), None
    report.error, report.attempts = "", 0
    report.save(update_fields=["state", "requested", "started", "error", "attempts"])
    send_task(TASK, report.pk)


def compute(report_id: int, make: Make = make_report) -> None:
    """Compute the report and store it, where it is queued.

    An error is stored with the report, and the former data stay.
    """
    started, begun = timezone.now(), perf_counter()
    queued = StoredReport.objects.filter(
        pk=report_id, state=State.QUEUED, project__delete_after=None
    )
    if not queued.update(state=State.RUNNING, started=started, attempts=F("attempts") + 1):
        return
    ours = StoredReport.objects.filter(pk=report_id, state=State.RUNNING, started=started)
    try:
        report = StoredReport.objects.select_related("project").defer("data").get(pk=report_id)
        made = make(report.project, ReportOptions.from_json(report.options))
        ours.update(
            state=State.READY,
            data=made.data,
            made=timezone.now(),
            signature=made.data["signature"],
            seconds=perf_counter() - begun,
            # With those that the options leave out.
            judgements=made.data["left_out"]["of"],
            last_submission=made.last_submission,
            error="",
        )
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
        first_line = (str(problem).strip().splitlines() or ["no message"])[0]
        ours.update(
            state=State.FAILED,
            error=f"The report stopped at an unexpected error, {type(problem).__name__}: "
            f"{first_line} (the server's log has the details).",
        )
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
            is_old | has_failed,
            project__delete_after=None,
            project__report_schedule__every=every,
            key=ReportOptions().key,
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
    unsent = StoredReport.objects.filter(
        state=State.QUEUED, requested__lt=now - RESEND_AFTER, project__delete_after=None
    )
    for pk in unsent.values_list("pk", flat=True):
        send_task(TASK, pk, expires=RESEND_AFTER.total_seconds())


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

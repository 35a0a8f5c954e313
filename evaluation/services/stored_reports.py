"""Reports that are kept: asked for by people or by the clock, computed by workers.

Several workers may be told of the same report, and one several times: one of them computes it.
Where none does, since the broker lost the message or the worker is gone, whoever looks at the
report next asks again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from logging import getLogger
from time import perf_counter
from typing import Final

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import Project
from annotation.selectors.judged_sentences import judged_since, last_submission
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services.report_computation import MadeReport, make_report

log = getLogger(__name__)

Make = Callable[[Project, ReportOptions], MadeReport]

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.compute_report"
# A worker that has been at a report for so long is taken to be gone.
PATIENCE: Final = timedelta(minutes=30)
# So many workers begin with a report, and none comes to an end, before it is given up.
MOST_ATTEMPTS: Final = 3
# Workers are told again of a report that none of them has begun after so long.
TELL_AGAIN: Final = timedelta(seconds=20)
# Of one project; those that were asked for longest ago go first.
MOST_REPORTS: Final = 20
# Of a report that nobody works on.
_AT_REST: Final = {"begun": None, "told": None, "attempts": 0}
INTERVALS: Final = {
    ReportSchedule.Every.HOUR: timedelta(hours=1),
    ReportSchedule.Every.DAY: timedelta(days=1),
}


def report_of(project: Project, options: ReportOptions) -> StoredReport:
    """Return the report with these options, asked for where it was never made or waits in vain."""
    report, fresh = StoredReport.objects.get_or_create(
        project=project,
        key=options.key,
        defaults={"options": options.as_json(), "asked": timezone.now()},
    )
    report.project = project
    if fresh:
        _forget_oldest(project)
    if report.data is None and report.asked is None and not report.error:
        ask_again(report)
    elif report.asked is not None:
        tell_workers(StoredReport.objects.filter(pk=report.pk))
    return report


def ask_again(report: StoredReport) -> None:
    """Have the report made anew, from what is judged by the time that a worker begins."""
    report.asked = timezone.now()
    StoredReport.objects.filter(pk=report.pk).update(
        asked=report.asked, told=None, attempts=0, error="", failed=None
    )
    tell_workers(StoredReport.objects.filter(pk=report.pk))


def tell_workers(reports: QuerySet[StoredReport]) -> None:
    """Tell the workers of those of the reports that are asked for and that nobody works on."""
    now = timezone.now()
    _give_up(reports, now)
    untold = Q(told__isnull=True) | _over("told", TELL_AGAIN, now)
    waiting = reports.filter(_free(now), untold)
    for pk in waiting.values_list("pk", flat=True):
        if waiting.filter(pk=pk).update(told=now):
            transaction.on_commit(partial(_send, pk))


def _send(report_id: int) -> None:
    try:
        current_app.send_task(TASK, [report_id])
    except BrokerError as problem:
        log.warning("The broker does not answer: report %s has to wait. %s", report_id, problem)


def compute(report_id: int, make: Make = make_report) -> None:
    """Compute the report, where it is asked for and nobody else is at it, and store it.

    What is asked for meanwhile is computed afterwards. A failure is stored with the report, whose
    former data stay. Who takes longer than PATIENCE stores his report all the same, unless one is
    stored that was begun later.
    """
    begun = timezone.now()
    this = StoredReport.objects.filter(pk=report_id)
    _give_up(this, begun)
    if not this.filter(_free(begun)).update(begun=begun, told=begun, attempts=F("attempts") + 1):
        return
    mine = this.filter(begun=begun)
    report = StoredReport.objects.select_related("project").defer("data").get(pk=report_id)
    asked = report.asked
    try:
        values = _values(report, make)
    except Project.DoesNotExist:
        return
    except Exception as problem:
        log.exception("Report %s could not be computed.", report_id)
        # Where another worker has taken over, it is for him to say.
        with transaction.atomic():
            mine.filter(asked=asked).update(asked=None)
            mine.update(error=_sentence(problem), failed=timezone.now(), **_AT_REST)
    except BaseException:
        mine.update(begun=None, told=None, attempts=F("attempts") - 1)
        raise
    else:
        _store(this, begun, asked, values)
    tell_workers(this)


def _store(
    this: QuerySet[StoredReport],
    begun: datetime,
    asked: datetime | None,
    values: dict[str, object],
) -> None:
    """Store what was begun then, unless something later is stored; who began is at rest again.

    `asked` is when it was asked for as he knew it: what was asked for since then is still to come.
    """
    with transaction.atomic():
        older = Q(made_from__isnull=True) | Q(made_from__lt=begun)
        # Of a time that is still to come there was nothing, before the clock was set back.
        older |= Q(made_from__gt=timezone.now())
        if this.filter(older).update(made_from=begun, **values):
            this.filter(asked=asked).update(asked=None)
        this.filter(begun=begun).update(**_AT_REST)


def _give_up(reports: QuerySet[StoredReport], now: datetime) -> None:
    """Ask no longer for those of the reports with which enough workers began in vain."""
    minutes = int(PATIENCE.total_seconds() // 60)
    reports.filter(_free(now), attempts__gte=MOST_ATTEMPTS).update(
        asked=None,
        failed=now,
        error=f"The report was given up: {MOST_ATTEMPTS} workers began with it, and none of them "
        f"finished within {minutes} minutes. Ask for it with fewer resamples, or on a faster "
        "machine.",
        **_AT_REST,
    )


def _values(report: StoredReport, make: Make) -> dict[str, object]:
    started = perf_counter()
    made = make(report.project, ReportOptions.from_json(report.options))
    return {
        "data": made.data,
        "made": timezone.now(),
        "signature": made.data["signature"],
        "seconds": perf_counter() - started,
        "judgements": made.judgements,
        "last_submission": made.last_submission,
        "error": "",
        "failed": None,
    }


def _sentence(problem: Exception) -> str:
    first_line = (str(problem).strip().splitlines() or ["no message"])[0]
    return (
        f"The report stopped at an unexpected error, {type(problem).__name__}: {first_line} "
        "(the server's log has the details)."
    )


def refresh_due() -> None:
    """Ask for the reports whose time has come, if something was judged since they were made.

    One that could not be made waits as long as one that was. Workers that forgot a report are told
    of it again.
    """
    now = timezone.now()
    for every, interval in INTERVALS.items():
        due = StoredReport.objects.filter(
            project__report_schedule__every=every,
            key=ReportOptions().key,
            asked__isnull=True,
        ).filter(Q(made__lte=now - interval, failed__isnull=True) | Q(failed__lte=now - interval))
        for report in due.select_related("project").defer("data"):
            if last_submission(report.project) > report.last_submission:
                ask_again(report)
    _ask_for_first_reports()
    tell_workers(StoredReport.objects.all())


def _ask_for_first_reports() -> None:
    """Ask for the reports of projects that have a schedule and none yet."""
    for project in Project.objects.filter(
        report_schedule__every__in=INTERVALS, state__in=(Project.State.OPEN, Project.State.CLOSED)
    ).exclude(reports__key=ReportOptions().key):
        report_of(project, ReportOptions())


def set_schedule(project: Project, every: str) -> None:
    """Choose how often the project's report is made anew. Raises ValueError for no such choice."""
    chosen = ReportSchedule.Every(every)
    ReportSchedule.objects.update_or_create(project=project, defaults={"every": chosen})


def schedule_of(project: Project) -> ReportSchedule.Every:
    schedule = ReportSchedule.objects.filter(project=project).first()
    return ReportSchedule.Every(schedule.every) if schedule else ReportSchedule.Every.NEVER


def new_since(report: StoredReport) -> int:
    """Count the judgements that the report does not know of."""
    return judged_since(report.project, report.last_submission)


def _free(now: datetime) -> Q:
    """Asked for, and in nobody's hands."""
    return Q(asked__isnull=False) & (Q(begun__isnull=True) | _over("begun", PATIENCE, now))


def _over(field: str, period: timedelta, now: datetime) -> Q:
    """So long ago, or so far ahead that the clock has been set back since."""
    return Q(**{f"{field}__lt": now - period}) | Q(**{f"{field}__gt": now + period})


def _forget_oldest(project: Project) -> None:
    rows = StoredReport.objects.filter(project=project).exclude(key=ReportOptions().key)
    kept = rows.order_by(F("made").desc(nulls_first=True), "-pk")[: MOST_REPORTS - 1]
    rows.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()

"""Reports of a project: computed from the present judgements, stored, and refreshed on schedule.

`request` queues a stored report and sends a task. A worker claims it, and renews its lease while it
computes. The beat task `refresh_reports` sends the task again for reports that wait or have lost
their worker; a report fails after MAX_ATTEMPTS.

So that no person can occupy the workers or delete what others requested, each person has at most
MAX_WAITING reports that wait or run, and MAX_REPORTS stored in a project, besides shared ones.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from logging import getLogger
from time import perf_counter
from typing import Any, Final

from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.common.claims import (
    RELEASED,
    Claim,
    claimable,
    renewing,
    send_again,
)
from annotation.common.error_messages import localize_error
from annotation.common.task_queue import ENQUEUE_EVERY, send_task
from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError, Template, unexpected
from annotation.kinds import KINDS as KINDS_OF_JUDGEMENT
from annotation.models import Project, User
from annotation.pipeline import chunks
from annotation.process import clock
from annotation.process.log_context import current_request
from annotation.selectors import judgements as selectors
from annotation.selectors.documents import judged_without_document
from annotation.selectors.judged_sentences import (
    judged_since,
    last_submission,
)
from annotation.uploads import preview_queue
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.options import (
    BadOption,
    MetricsOptions,
    ReportOptions,
)
from evaluation.findings.serialisation import from_json, to_json
from evaluation.models import ReportSchedule, SharedLink, StoredReport, default_options
from evaluation.services.human_scores import golds_of
from evaluation.services.metric_evaluation import missing_for_metrics
from evaluation.services.report_kinds import (
    KINDS,
    Kind,
    Make,
    Options,
    kind_of,
    shape_of_data,
)
from evaluation.stats.units import NO_DOCUMENT

log = getLogger(__name__)

State = StoredReport.State

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.compute_report"
# In minutes; then Celery ends the task.
TIME_LIMIT: Final = 30
MAX_ATTEMPTS: Final = 3
# Of one person in one project, with other than the default options; those that were computed
# longest ago are deleted first.
MAX_REPORTS: Final = 5
# Of one person in all projects, queued or running.
MAX_WAITING: Final = 2
# Stored in English, as all errors of reports.
UNEXPECTED: Final = Template(
    "The report stopped at an unexpected error, %(kind)s: %(line)s (the server's log has the "
    "details)."
)
INTERVALS: Final = {
    ReportSchedule.Every.HOUR: timedelta(hours=1),
    ReportSchedule.Every.DAY: timedelta(days=1),
}


class TooManyWaiting(Exception):
    """The person has MAX_WAITING reports that wait or run; the message is for people."""


@retried
def report_of(project: Project, options: Options, by: User | None = None) -> StoredReport:
    """Return the project's report of the kind that has these options, and request one that is new.

    Raises TooManyWaiting if it would be new and the person may not request another one, and
    BadOption if it would sample documents, or leave out systems, that are unknown. A report with
    default options is the project's own, and is always returned. A report that was made before
    anything was judged is requested again once something is; so is one of another shape.
    """
    report = StoredReport.objects.filter(project=project, key=options.key).first()
    if report is None:
        own: Options = type(options)()
        if isinstance(options, ReportOptions):
            _refuse_unknown_documents(project, options)
            own = default_options(project)
        elif isinstance(options, MetricsOptions):
            _refuse_unknown_systems(project, options)
        if options == own:
            by = None
        with writing():
            _refuse_too_many(by)
            report, is_new = StoredReport.objects.get_or_create(
                project=project,
                key=options.key,
                defaults={
                    "kind": kind_of(options),
                    "options": to_json(options),
                    "created_by": by,
                    "requested_by": by,
                },
            )
            if is_new:
                _delete_old(project, by)
                send_task(TASK, report.pk)
    report.project = project
    is_empty = report.state == State.DONE and not report.judgements
    is_new = is_empty and last_submission(project) > report.last_submission
    if is_new:
        request(report)
    else:
        renew_unreadable(report)
    return report


def renew_unreadable(report: StoredReport) -> None:
    """Request the report again if a former version computed it."""
    if report.state == State.DONE and has_other_shape(report):
        request(report)


@dataclass(frozen=True)
class StoredEstimates:
    """What the report with default options says of systems that are judged in a sample."""

    systems: list[EstimatedSystem]
    made: datetime


def stored_report(project: Project) -> StoredReport | None:
    """Return the project's own report; None if it was never requested. One query."""
    return StoredReport.objects.filter(project=project, key=default_options(project).key).first()


def stored_estimates(project: Project) -> StoredEstimates | None:
    """Return the estimates of the project's stored report; None if there is none. One query."""
    report = StoredReport.objects.filter(
        project=project, key=default_options(project).key, shape=shape_of_data(Kind.REPORT)
    )
    found = report.values_list("data__estimated", "made").first()
    if found is None or found[1] is None:
        return None
    return StoredEstimates(systems=from_json(found[0], list[EstimatedSystem]), made=found[1])


def _refuse_unknown_documents(project: Project, options: ReportOptions) -> None:
    if options.unit == "document":
        judged, without = judged_without_document(project)
        if without:
            problem = InputError(NO_DOCUMENT, without=without, judged=judged)
            raise BadOption(localize_error(problem).words)


def _refuse_unknown_systems(project: Project, options: MetricsOptions) -> None:
    known = [name for _pk, name in selectors.systems(project)] if options.outliers else []
    for name in options.outliers or ():
        if name not in known:
            raise BadOption(
                f"There is no system {name!r} to leave out; there are {', '.join(known)}."
            )


def _delete_old(project: Project, by: User | None) -> None:
    if by is not None:
        own = StoredReport.objects.filter(project=project, created_by=by)
        newest = own.order_by(F("made").desc(nulls_first=True), "-pk")[:MAX_REPORTS]
        shared = open_links(project).values("key")
        own.exclude(pk__in=list(newest.values_list("pk", flat=True))).exclude(
            key__in=shared
        ).delete()


@retried
def request(report: StoredReport, by: User | None = None) -> None:
    """Queue the report, to be computed from what is judged when a worker begins.

    A queued report stays so; a running one is queued again when its computation has ended, so that
    it is never computed twice at a time. Raises TooManyWaiting.
    """
    this = StoredReport.objects.filter(pk=report.pk)
    with writing():
        if not this.filter(state=State.WAITING).exists():
            _refuse_too_many(by, besides=report)
            latest = {
                "requested": clock.now(),
                "requested_by": by,
                "request_id": current_request(),
            }
            if not this.filter(state=State.RUNNING).update(requested_again=True, **latest):
                # Nothing, if another request queued it, and a worker took it, meanwhile.
                ended = this.exclude(state__in=StoredReport.UNFINISHED)
                if ended.update(state=State.WAITING, error="", attempts=0, **latest):
                    send_task(TASK, report.pk)
    fields = ("state", "requested", "requested_by", "requested_again", "started", "error")
    report.refresh_from_db(fields=[*fields, "attempts"])


def _refuse_too_many(by: User | None, besides: StoredReport | None = None) -> None:
    """Lock the person until the end of the transaction, and raise TooManyWaiting."""
    if by is None:
        return
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    waiting = StoredReport.objects.filter(requested_by=by, state__in=StoredReport.UNFINISHED)
    if besides is not None:
        waiting = waiting.exclude(pk=besides.pk)
    if waiting.count() >= MAX_WAITING:
        raise TooManyWaiting(
            _(
                "Your earlier reports are still being computed. Request another one when one of "
                "them is finished."
            )
        )


def default_metrics(project: Project) -> MetricsOptions:
    """Return the options with which the metrics of the project are evaluated unless chosen."""
    return MetricsOptions(gold=golds_of(project)[0])


def renew_metrics(project: Project) -> None:
    """Request the project's evaluation of metrics again, and delete those with other options.

    For when scores were added or removed; nothing is requested of a project that lacks judgements.
    """
    default = default_metrics(project)
    stored = StoredReport.objects.filter(project=project, kind=Kind.METRICS)
    with writing():
        stored.exclude(key=default.key).delete()
    if missing_for_metrics(project) is None:
        request(report_of(project, default))


def compute(report_id: int, make: Make | None = None) -> None:
    """Compute the report and store it, if no worker does; by `make`, or else as its kind is made.

    An error is stored with the report, and the former data stay.
    """
    # By `in` and not by a join: Django moves all conditions of an UPDATE with a join into a
    # subquery, and PostgreSQL then does not check them again on a row that another worker has
    # just changed.
    visible = StoredReport.objects.filter(project__in=Project.objects.all())
    report = visible.select_related("project").defer("data").filter(pk=report_id).first()
    claimed = report and Claim.take(report, visible, requested_again=False)
    if not claimed:
        return
    report, begun = claimed.row, perf_counter()
    kind = KINDS[Kind(report.kind)]
    try:
        with renewing(claimed, claimed.renew):
            made = (make or kind.make)(report.project, from_json(report.options, kind.options))
        data = to_json(made.data)
        _end(
            claimed,
            state=State.DONE,
            data=data,
            shape=kind.shape,
            made=clock.now(),
            signature=data["signature"],
            seconds=perf_counter() - begun,
            judgements=made.judgements,
            last_submission=made.last_submission,
            error="",
        )
    except InputError as problem:
        _end(claimed, state=State.FAILED, error=str(problem))
    except Project.DoesNotExist:
        # It was deleted meanwhile.
        return
    except (OperationalError, InterfaceError):
        # The next query opens a new connection: the database may have been restarted.
        if not connection.in_atomic_block:
            connection.close()
        claimed.release(count_attempt=True)
        raise
    except Exception as problem:
        log.exception("Report %s could not be computed.", report_id)
        _end(claimed, state=State.FAILED, error=str(unexpected(UNEXPECTED, problem)))
    except BaseException:
        claimed.release()
        raise


def _end(claimed: Claim[StoredReport], **result: Any) -> None:
    """Store the result of the computation; queue the report if it was requested meanwhile.

    Another worker may compute it by now: then nothing is stored.
    """
    held = claimed.held()
    if held.filter(requested_again=False).update(**result, **RELEASED):
        return
    again = {"state": State.WAITING, "attempts": 0, "error": ""}
    if held.update(**(result | again), **RELEASED):
        claimed.row.refresh_from_db(fields=["request_id"])
        send_task(TASK, claimed.row.pk, request=claimed.row.request_id)


def refresh_due() -> None:
    """Request the reports that are due by their schedule, and see to those without a worker.

    A report is due where something was judged since it was made, or an administrator has changed
    what counts. A failed one waits for the same interval.
    """
    now = clock.now()
    kinds_by_options: dict[ReportOptions, list[str]] = {}
    for kind in KINDS_OF_JUDGEMENT:
        kinds_by_options.setdefault(default_options(Project(kind=kind)), []).append(kind)
    for options, kinds in kinds_by_options.items():
        _refresh_own(options, kinds, now)
    begun = StoredReport.objects.filter(state=State.RUNNING, attempts__gte=MAX_ATTEMPTS)
    claimable(begun).update(
        state=State.FAILED,
        error=f"The report was begun {MAX_ATTEMPTS} times and not finished. Request it with fewer "
        "resamples, or on a machine with more memory.",
        **RELEASED,
    )
    asked = now - timedelta(seconds=ENQUEUE_EVERY)
    send_again(TASK, StoredReport.objects.filter(requested__lt=asked, project__delete_after=None))


def _refresh_own(options: ReportOptions, kinds: Collection[str], now: datetime) -> None:
    """Request the reports that are due, with the default options of these kinds of judgement."""
    for every, interval in INTERVALS.items():
        is_old = Q(state=State.DONE, made__lte=now - interval)
        has_failed = Q(state=State.FAILED, requested__lte=now - interval)
        due = StoredReport.objects.filter(
            is_old | has_failed,
            project__delete_after=None,
            project__kind__in=kinds,
            project__report_schedule__every=every,
            key=options.key,
        )
        for report in due.select_related("project").defer("data"):
            if last_submission(report.project) > report.last_submission or is_outdated(report):
                request(report)
    for project in Project.objects.filter(
        kind__in=kinds,
        report_schedule__every__in=INTERVALS,
        state__in=(Project.State.OPEN, Project.State.CLOSED),
    ).exclude(reports__key=options.key):
        report_of(project, options)


def set_schedule(project: Project, every: str) -> None:
    """Set how often the project's report is refreshed. Raises ValueError for an unknown choice."""
    chosen = ReportSchedule.Every(every)
    ReportSchedule.objects.update_or_create(project=project, defaults={"every": chosen})


def schedule_of(project: Project) -> ReportSchedule.Every:
    schedule = ReportSchedule.objects.filter(project=project).first()
    return ReportSchedule.Every(schedule.every) if schedule else ReportSchedule.Every.NEVER


def open_links(project: Project) -> QuerySet[SharedLink]:
    """Return the links to the project's reports that work now, newest first."""
    links = SharedLink.objects.filter(project=project).open()
    return links.select_related("created_by").order_by("-created", "-pk")


def count_before(report: StoredReport) -> int:
    """Return how much workers do now, or do before the queued report. Three queries.

    These are other reports, previews, and chunks of preparations, of all projects.
    """
    others = StoredReport.objects.filter(
        Q(state=State.RUNNING) | Q(state=State.WAITING, requested__lt=report.requested),
        project__delete_after=None,
    ).exclude(pk=report.pk)
    return others.count() + preview_queue.count_before(report.requested) + chunks.count_live()


def has_other_shape(report: StoredReport) -> bool:
    """Tell whether a former version computed the report, so that its data cannot be read."""
    return report.made is not None and report.shape != shape_of_data(report.kind)


def is_outdated(report: StoredReport) -> bool:
    """Tell whether an administrator has changed what counts since the report was computed.

    Of a report that has no data yet: since a worker last tried. One of another shape is outdated.
    """
    if has_other_shape(report):
        return True
    changed, began = report.project.counts_changed, report.data_began or report.started
    return changed is not None and began is not None and changed > began


def new_since(report: StoredReport) -> int:
    """Return how many judgements are newer than the report."""
    return judged_since(report.project, report.last_submission)

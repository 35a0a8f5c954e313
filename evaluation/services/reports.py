"""Reports of a project: computed from the present judgements, stored, and refreshed on schedule.

`request` queues a stored report and sends a task. The beat task `refresh_reports` sends it again
where no worker has begun for RESEND_AFTER. A report that has been running for longer than
TIME_LIMIT has lost its worker: it is queued again, and fails after MAX_ATTEMPTS.

So that no person can occupy the workers or delete what others requested, each person has at most
MAX_WAITING reports that wait or run, and MAX_REPORTS stored in a project, besides shared ones.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from logging import getLogger
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.common.error_messages import localize_error
from annotation.common.task_queue import send_task
from annotation.common.transactions import retried, snapshot, writing
from annotation.formats.errors import InputError, Template, unexpected
from annotation.kinds import kind_of as kind_of_judgement
from annotation.models import Project, User
from annotation.pipeline import chunks
from annotation.projects.undecided_systems import decisions
from annotation.selectors import judgements as selectors
from annotation.selectors.assessments import count_lines
from annotation.selectors.documents import judged_without_document
from annotation.selectors.exclusion import excluded_of
from annotation.selectors.judged_sentences import (
    judged_since,
    last_submission,
    segment_lengths,
    segment_words,
)
from annotation.selectors.submitted_work import judged_sentences
from annotation.uploads import preview_queue
from evaluation.findings.assessments import AssessmentsFound
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.evidence import AskedScale, Evidence
from evaluation.findings.judged import Excluded, JudgedProject
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.options import (
    AnnotatorModelOptions,
    BadOption,
    MetricsOptions,
    ReportOptions,
)
from evaluation.findings.report import Report, Surroundings
from evaluation.findings.report import compute as compute_report
from evaluation.findings.serialisation import from_json, shape_of, to_json
from evaluation.findings.undecided import UndecidedRanking
from evaluation.models import ReportSchedule, SharedReport, StoredReport
from evaluation.reuse.prediction_powered import PoweredRanking
from evaluation.services.annotator_models import AnnotatorModelsData, annotator_models_data
from evaluation.services.edit_counts import count_edits
from evaluation.services.estimated_systems import estimated_systems
from evaluation.services.findings import provenance
from evaluation.services.human_scores import golds_of
from evaluation.services.loading import (
    load,
    load_assessments,
    load_assignments,
    load_controls,
    load_edits,
    load_marked_errors,
)
from evaluation.services.marked_errors import has_marked_errors
from evaluation.services.metric_evaluation import missing_for_metrics
from evaluation.services.powered_ranking import powered_ranking
from evaluation.services.project_assessments import has_assessments, report_of_assessments
from evaluation.services.score_files import evaluate_with_score_files
from evaluation.services.undecided_systems import undecided_ranking
from evaluation.stats.units import NO_DOCUMENT

log = getLogger(__name__)

State = StoredReport.State
Kind = StoredReport.Kind
WAITING: Final = (State.QUEUED, State.RUNNING)

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.compute_report"
RESEND_AFTER: Final = timedelta(seconds=30)
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


Options = ReportOptions | MetricsOptions | AnnotatorModelOptions


Data = TypeVar("Data", Report, MetricsReport, AnnotatorModelsData)


@dataclass(frozen=True)
class MadeReport(Generic[Data]):
    """A report with the number of judgements and the id of the last submission that are in it."""

    data: Data
    judgements: int
    last_submission: int


# The options are those of the report's kind.
Make = Callable[[Project, Any], MadeReport[Any]]


def make_report(project: Project, options: ReportOptions) -> MadeReport[Report]:
    """Load the judgements, of one moment, and compute the report: seconds to minutes.

    Raises Project.DoesNotExist where the project was deleted, and InputError if documents are to be
    sampled, and a judged sentence has none.
    """
    begun = perf_counter()
    with_documents = options.unit == "document"
    with snapshot():
        # What counts may have changed since the caller has read the project.
        project.refresh_from_db(fields=["counts_changed"])
        summary = selectors.project_summary(project)
        sentences = judged_sentences(project)
        assignments = load_assignments(project)
        latest = last_submission(project)
        judgements = load(project, with_documents=with_documents)
        judgements = replace(judgements, provenance=tuple(provenance(project)))
        controls = load_controls(project)
        edited = load_edits(project) if kind_of_judgement(project).edits_texts else None
        marked = load_marked_errors(project) if has_marked_errors(project) else None
        assessed = None
        if has_assessments(project):
            assessed = load_assessments(project, with_documents=with_documents)
        # Of single translations, sentences are lines of the source.
        single = kind_of_judgement(project).single_translations
        lines = count_lines(project) if single else sentences.all
        narrowed = selectors.narrowed_judgements(project) if decisions(project) else 0
        excluded = excluded_of(project)
    loaded = perf_counter()
    evidence = Evidence(
        judgements,
        options,
        controls,
        asked_scale(project),
        edits=None if edited is None else count_edits(project, judgements, edited),
        marked=marked,
        assignments=assignments,
        words=segment_words,
        lengths=lambda: segment_lengths(project),
    )

    def powered(found: Evidence) -> PoweredRanking:
        return powered_ranking(project, found.judgements, **found.again)

    def estimated(_found: Evidence) -> list[EstimatedSystem]:
        return estimated_systems(project, judgements.provenance, options.filters)

    def undecided(_found: Evidence) -> UndecidedRanking | None:
        return undecided_ranking(
            project,
            judgements.provenance,
            resamples=options.resamples,
            seed=options.seed,
            unit=options.sampled,
            filters=options.filters,
        )

    def assessments(found: Evidence) -> AssessmentsFound | None:
        assert assessed is not None
        return report_of_assessments(project, assessed, found.left_out, options)

    report = compute_report(
        evidence,
        Surroundings(
            project=JudgedProject(
                name=summary.name,
                source_language=summary.source_language,
                target_language=summary.target_language,
                systems=summary.systems,
                sentences=summary.sentences,
                segments=summary.segments,
                candidates=summary.candidates,
                prepared=judgements.provenance,
            ),
            made=timezone.now().isoformat(timespec="seconds"),
            sentences=lines,
            sentences_left=sentences.left,
            narrowed=narrowed,
            excluded=Excluded(
                sentences=excluded.sentences,
                segments=excluded.segments,
                candidates=excluded.candidates,
                discarded=excluded.discarded,
            ),
            powered=powered if options.predictions else None,
            assessments=assessments if assessed else None,
            estimated=estimated,
            undecided=undecided,
        ),
    )
    seconds = {
        "loading": round(loaded - begun, 4),
        **report.seconds,
        "total": round(perf_counter() - begun, 4),
    }
    # With those that the options leave out.
    return MadeReport(replace(report, seconds=seconds), report.left_out.of, latest)


def asked_scale(project: Project) -> AskedScale:
    """Return the scale of the project's kind, with labels that pages translate."""
    kind = kind_of_judgement(project)
    with override(None):
        # Files are in English.
        steps = [str(label) for label in kind.scale]
    return AskedScale(
        steps=steps,
        grades=kind.grades,
        own_labels=kind.own_scale,
        undecided=kind.undecided,
        # Scores of single translations are standardised first: see `report_of_assessments`.
        highest=None if has_assessments(project) else kind.highest_score,
    )


def make_metrics(project: Project, options: MetricsOptions) -> MadeReport[MetricsReport]:
    """Evaluate the metrics of the project and of its score files: up to minutes.

    Raises Project.DoesNotExist, and InputError as `evaluate_project_metrics` does.
    """
    # Before the judgements are loaded: what is submitted meanwhile counts as newer.
    latest = last_submission(project)
    data = evaluate_with_score_files(project, options)
    return MadeReport(data, data.judgements, latest)


def make_annotator_models(
    project: Project, options: AnnotatorModelOptions
) -> MadeReport[AnnotatorModelsData]:
    """Fit the models of the project's annotators: seconds to minutes.

    Raises InputError as `annotator_models` does.
    """
    # Before the judgements are loaded: what is submitted meanwhile counts as newer.
    latest, judgements = last_submission(project), judged_since(project, 0)
    return MadeReport(annotator_models_data(project, options), judgements, latest)


MAKERS: Final[dict[Kind, Make]] = {
    Kind.REPORT: make_report,
    Kind.METRICS: make_metrics,
    Kind.ANNOTATORS: make_annotator_models,
}
OPTIONS: Final[dict[Kind, type[Options]]] = {
    Kind.REPORT: ReportOptions,
    Kind.METRICS: MetricsOptions,
    Kind.ANNOTATORS: AnnotatorModelOptions,
}


DATA: Final[dict[Kind, Any]] = {
    Kind.REPORT: Report,
    Kind.METRICS: MetricsReport,
    Kind.ANNOTATORS: AnnotatorModelsData,
}


def shape_of_data(kind: str) -> str:
    """Return the shape that the data of reports of this kind have now."""
    return shape_of(DATA[Kind(kind)])


def data_of(report: StoredReport) -> Any | None:
    """Return what was computed, as the type of DATA.

    None if nothing was, or if a former version made it in another shape: then it is outdated.
    """
    if report.data is None or report.shape != shape_of_data(report.kind):
        return None
    return from_json(report.data, DATA[Kind(report.kind)])


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
        if isinstance(options, ReportOptions):
            _refuse_unknown_documents(project, options)
        elif isinstance(options, MetricsOptions):
            _refuse_unknown_systems(project, options)
        if options == type(options)():
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
    is_empty = report.state == State.READY and not report.judgements
    is_new = is_empty and last_submission(project) > report.last_submission
    if is_new:
        request(report)
    else:
        renew_unreadable(report)
    return report


def renew_unreadable(report: StoredReport) -> None:
    """Request the report again if a former version computed it."""
    if report.state == State.READY and has_other_shape(report):
        request(report)


def kind_of(options: Options) -> Kind:
    """Return the kind of report that has such options."""
    return next(kind for kind, of_kind in OPTIONS.items() if isinstance(options, of_kind))


@dataclass(frozen=True)
class StoredEstimates:
    """What the report with default options says of systems that are judged in a sample."""

    systems: list[EstimatedSystem]
    made: datetime


def stored_estimates(project: Project) -> StoredEstimates | None:
    """Return the estimates of the project's stored report; None if there is none. One query."""
    report = StoredReport.objects.filter(
        project=project, key=ReportOptions().key, shape=shape_of_data(Kind.REPORT)
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
        if not this.filter(state=State.QUEUED).exists():
            _refuse_too_many(by, besides=report)
            latest = {"requested": timezone.now(), "requested_by": by}
            if not this.filter(state=State.RUNNING).update(requested_again=True, **latest):
                this.update(state=State.QUEUED, started=None, error="", attempts=0, **latest)
                send_task(TASK, report.pk)
    fields = ("state", "requested", "requested_by", "requested_again", "started", "error")
    report.refresh_from_db(fields=[*fields, "attempts"])


def _refuse_too_many(by: User | None, besides: StoredReport | None = None) -> None:
    """Lock the person until the end of the transaction, and raise TooManyWaiting."""
    if by is None:
        return
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    waiting = StoredReport.objects.filter(requested_by=by, state__in=WAITING)
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
    """Compute the report and store it, where it is queued; by `make`, or else as its kind is made.

    An error is stored with the report, and the former data stay.
    """
    started, begun = timezone.now(), perf_counter()
    # By `in` and not by a join: Django moves all conditions of an UPDATE with a join into a
    # subquery, and PostgreSQL then does not check them again on a row that another worker has
    # just changed.
    queued = StoredReport.objects.filter(
        pk=report_id, state=State.QUEUED, project__in=Project.objects.all()
    )
    begins = {"state": State.RUNNING, "started": started, "requested_again": False}
    if not queued.update(**begins, attempts=F("attempts") + 1):
        return
    ours = StoredReport.objects.filter(pk=report_id, state=State.RUNNING, started=started)
    try:
        report = StoredReport.objects.select_related("project").defer("data").get(pk=report_id)
        make = make or MAKERS[Kind(report.kind)]
        made = make(report.project, from_json(report.options, OPTIONS[Kind(report.kind)]))
        data = to_json(made.data)
        _end(
            ours,
            state=State.READY,
            data=data,
            shape=shape_of_data(report.kind),
            made=timezone.now(),
            signature=data["signature"],
            seconds=perf_counter() - begun,
            judgements=made.judgements,
            last_submission=made.last_submission,
            error="",
        )
    except InputError as problem:
        _end(ours, state=State.FAILED, error=str(problem))
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
        _end(ours, state=State.FAILED, error=str(unexpected(UNEXPECTED, problem)))
    except BaseException:
        ours.update(state=State.QUEUED, started=None)
        raise


def _end(running: QuerySet[StoredReport], **result: Any) -> None:
    """Store the result of the computation; queue the report if it was requested meanwhile."""
    if running.filter(requested_again=False).update(**result):
        return
    again = {"state": State.QUEUED, "started": None, "attempts": 0, "error": ""}
    pk = running.values_list("pk", flat=True).first()
    if pk is not None and running.update(**(result | again)):
        send_task(TASK, pk)


def refresh_due() -> None:
    """Request the reports that are due by their schedule, and see to those without a worker.

    A report is due where something was judged since it was made, or an administrator has changed
    what counts. A failed one waits for the same interval.
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
            if last_submission(report.project) > report.last_submission or is_outdated(report):
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


def open_links(project: Project) -> QuerySet[SharedReport]:
    """Return the links to the project's reports that work now, newest first."""
    links = SharedReport.objects.filter(project=project).open()
    return links.select_related("created_by").order_by("-created", "-pk")


def count_before(report: StoredReport) -> int:
    """Return how much workers do now, or do before the queued report. Three queries.

    These are other reports, previews, and chunks of preparations, of all projects.
    """
    others = StoredReport.objects.filter(
        Q(state=State.RUNNING) | Q(state=State.QUEUED, requested__lt=report.requested),
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

"""The state of a project while people judge: progress, speed, agreement, and the estimated end."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final
from zoneinfo import ZoneInfo

from django.core.cache import cache
from django.utils import timezone

from annotation.common.caching import project_key
from annotation.models import Project
from annotation.selectors import judgements as selectors
from annotation.selectors.judged_sentences import judged_since, last_submission
from annotation.selectors.judgements import Speed
from annotation.selectors.project_progress import AnnotatorActivity, ProjectProgress, progress_of
from annotation.selectors.submitted_work import (
    JudgedSentences,
    SubmittedWork,
    recent_judged_sentences,
    recent_work,
)
from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services.loading import load
from evaluation.stats.agreement.kappa import Agreement, measure_agreement
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd, estimate_end
from evaluation.stats.annotators.statistics import TOO_LONG
from evaluation.stats.judgements import natural_key

# A submission that commits late may have a lower id than the last one: count again after 10 min.
SPEEDS_CACHED: Final = 600
# With more judgements, agreement is taken from the report and not measured during a request.
MOST_JUDGEMENTS: Final = 20_000
# Agreement is not measured again before this many times the seconds that it took.
REST: Final = 20
A_DAY: Final = 86_400


@dataclass(frozen=True)
class KappaSoFar:
    """Pairs of candidates on which two judgements agree, and κ; `undefined` says why it is None."""

    agree: int
    compared: int
    kappa: float | None
    undefined: str


@dataclass(frozen=True)
class AgreementSoFar:
    """Agreement of all judgements up to the submission `until`.

    `made` is when it was measured, which took `seconds`; `missing` judgements are newer.
    """

    intra: KappaSoFar
    inter: KappaSoFar
    until: int
    made: datetime
    seconds: float = 0.0
    missing: int = 0


@dataclass(frozen=True)
class Row:
    """An annotator with their work, and the mean seconds for a segment; None if unknown."""

    worker: AnnotatorActivity
    submitted: SubmittedWork
    seconds: float | None


@dataclass(frozen=True)
class Overview:
    """Progress, the work, speed and agreement of annotators, and the estimated end.

    Annotators are in the natural order of their names, so rows keep their places.
    """

    work: ProjectProgress
    rows: list[Row]
    submitted: SubmittedWork
    sentences: JudgedSentences
    together: Speed
    end: EstimatedEnd
    agreement: AgreementSoFar | None

    @property
    def percent(self) -> int:
        """The percentage that is judged, rounded down: 100 only when everything is."""
        return 100 * self.work.submitted // self.work.wanted if self.work.wanted else 0

    @property
    def at_work(self) -> list[AnnotatorActivity]:
        return [row.worker for row in self.rows if row.worker.is_active]

    @property
    def assignments(self) -> int:
        return sum(row.worker.assignments for row in self.rows)

    @property
    def people_today(self) -> int:
        return sum(row.worker.today > 0 for row in self.rows)


def overview_of(project: Project, *, now: datetime, zone: ZoneInfo) -> Overview:
    """Return the overview by a fixed number of queries; "today" is a day in the time zone."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    work = progress_of(project, now=now, midnight=midnight)
    last = last_submission(project)
    by_annotator = speeds(project, last)
    together = sum(by_annotator.values(), Speed())
    submitted = recent_work(project, work.sentences)
    rows = [
        Row(
            worker,
            submitted.of(worker.id),
            by_annotator.get(worker.id, Speed()).per_segment,
        )
        for worker in sorted(work.workers, key=lambda worker: natural_key(worker.name))
    ]
    return Overview(
        work=work,
        rows=rows,
        submitted=submitted.together,
        sentences=recent_judged_sentences([project], {project.pk: work.sentences})[project.pk],
        together=together,
        end=_estimated_end(project, work, now),
        agreement=agreement_so_far(project, last=last, judgements=together.segments),
    )


def _estimated_end(project: Project, work: ProjectProgress, now: datetime) -> EstimatedEnd:
    if not work.wanted:
        return EstimatedEnd(unknown=NoEnd.NOTHING_TO_JUDGE)
    if not work.left:
        return EstimatedEnd(unknown=NoEnd.ALL_JUDGED)
    if project.state != Project.State.OPEN:
        return EstimatedEnd(unknown=NoEnd.PAUSED)
    # An annotator counts once among the judges of a sentence.
    if work.missing_judges > work.judges:
        return EstimatedEnd(unknown=NoEnd.TOO_FEW_JUDGES)
    return estimate_end(left=work.left, judged=work.pace.submitted, since=work.pace.since, now=now)


def speeds(project: Project, last: int) -> dict[int, Speed]:
    """Return the speed of each annotator by id; `last` is the last submission of the project."""
    found: dict[int, Speed] | None = cache.get_or_set(
        project_key(f"speeds:{last}:{_counts_changed(project)}", project),
        lambda: selectors.speeds(project, too_long=TOO_LONG),
        SPEEDS_CACHED,
    )
    return found or {}


def agreement_so_far(project: Project, *, last: int, judgements: int) -> AgreementSoFar | None:
    """Return the agreement of all judgements; of those up to some time ago if measuring is slow.

    `last` is the last submission of the project, and `judgements` the number of its judgements.
    The stored report is used if it is up to date. None if agreement was never measured.
    """
    key = project_key(f"agreement:{_counts_changed(project)}", project)
    measured: AgreementSoFar | None = cache.get(key)
    known = [one for one in (_reported(project), measured) if one]
    latest = max(known, key=lambda one: one.until, default=None)
    if latest and latest.until >= last:
        return latest
    rests = measured and timezone.now() < measured.made + timedelta(seconds=REST * measured.seconds)
    if judgements <= MOST_JUDGEMENTS and not rests:
        begun = perf_counter()
        report = measure_agreement(load(project))
        now, seconds = timezone.now(), perf_counter() - begun
        # Submissions after `last` may be in it, and will be counted as missing.
        measured = AgreementSoFar(_kappa(report.intra), _kappa(report.inter), last, now, seconds)
        cache.set(key, measured, A_DAY)
        return measured
    return latest and replace(latest, missing=judged_since(project, latest.until))


def _counts_changed(project: Project) -> float:
    return project.counts_changed.timestamp() if project.counts_changed else 0.0


def _kappa(agreement: Agreement) -> KappaSoFar:
    why = agreement.undefined
    return KappaSoFar(
        agreement.agree, agreement.compared, agreement.kappa, why.value if why else ""
    )


def _reported(project: Project) -> AgreementSoFar | None:
    """Return the agreement of the report with default options; reads only these values of it.

    None where an administrator has changed what counts since it was computed.
    """
    names = ("agree", "compared", "kappa", "undefined")
    paths = [f"data__agreement__{kind}__{name}" for kind in ("intra", "inter") for name in names]
    reports = StoredReport.objects.filter(
        project=project, key=ReportOptions().key, made__isnull=False
    )
    if project.counts_changed:
        reports = reports.filter(started__gt=project.counts_changed)
    row = reports.values_list("last_submission", "made", *paths).first()
    if row is None:
        return None
    until, made, *figures = row
    return AgreementSoFar(KappaSoFar(*figures[:4]), KappaSoFar(*figures[4:]), until, made)

"""The state of a project while people judge."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from annotation.models import Project
from annotation.selectors.judged_sentences import last_submission
from annotation.selectors.judgements import Speed
from annotation.selectors.project_progress import AnnotatorActivity, ProjectProgress, progress_of
from evaluation.services.interim_statistics import AgreementSoFar, agreement_so_far, speeds
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd, estimate_end
from evaluation.stats.judgements import natural_key


@dataclass(frozen=True)
class Row:
    """An annotator, and the mean seconds for a segment; None if unknown."""

    worker: AnnotatorActivity
    seconds: float | None


@dataclass(frozen=True)
class Overview:
    """Progress, annotators, their speed and agreement, and the estimated end.

    Annotators are in the natural order of their names, so rows keep their places.
    """

    work: ProjectProgress
    rows: list[Row]
    together: Speed
    end: EstimatedEnd
    agreement: AgreementSoFar | None

    @property
    def percent(self) -> int:
        """The percentage that is judged, rounded down: 100 only when everything is."""
        return 100 * self.work.judged // self.work.wanted if self.work.wanted else 0

    @property
    def at_work(self) -> list[AnnotatorActivity]:
        return [row.worker for row in self.rows if row.worker.works_now]

    @property
    def judged_together(self) -> int:
        return sum(row.worker.judged for row in self.rows)

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
    rows = [
        Row(worker, by_annotator.get(worker.id, Speed()).per_segment)
        for worker in sorted(work.workers, key=lambda worker: natural_key(worker.name))
    ]
    return Overview(
        work=work,
        rows=rows,
        together=together,
        end=_estimated_end(project, work, now),
        agreement=agreement_so_far(project, last=last, judgements=together.segments),
    )


def _estimated_end(project: Project, work: ProjectProgress, now: datetime) -> EstimatedEnd:
    why = _why_no_end(project, work)
    if why is not None:
        return EstimatedEnd(unknown=why)
    return estimate_end(left=work.left, judged=work.pace.judged, since=work.pace.since, now=now)


def _why_no_end(project: Project, work: ProjectProgress) -> NoEnd | None:
    if not work.wanted:
        return NoEnd.NOTHING_TO_JUDGE
    if not work.left:
        return NoEnd.ALL_JUDGED
    if project.state != Project.State.OPEN:
        return NoEnd.PAUSED
    # An annotator counts once among the judges of a sentence.
    return NoEnd.TOO_FEW_JUDGES if work.missing_judges > work.judges else None

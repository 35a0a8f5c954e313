"""How a project is going at this moment, for whoever runs it."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from annotation.models import Project
from annotation.selectors.judged_sentences import last_submission
from annotation.selectors.judgements import Speed
from annotation.selectors.project_progress import AnnotatorActivity, ProjectProgress, progress_of
from evaluation.services.interim_statistics import AgreementSoFar, agreement_so_far, speeds
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd, estimate_end
from evaluation.stats.labels import natural_key


@dataclass(frozen=True)
class Row:
    """One annotator, and how long a segment takes him; None where that is not known."""

    worker: AnnotatorActivity
    seconds: float | None


@dataclass(frozen=True)
class Overview:
    """What was judged, by whom, who is at it, how well they agree, and when it will end.

    Annotators are in the natural order of their names, so that no row moves while they work.
    """

    work: ProjectProgress
    rows: list[Row]
    together: Speed
    end: EstimatedEnd
    agreement: AgreementSoFar | None

    @property
    def percent(self) -> int:
        """Whole percents that are judged: never 100 before all is."""
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
    """Return all of it, by a fixed number of queries; today is the day that it is in this zone."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    work = progress_of(project, now=now, midnight=midnight)
    last = last_submission(project)
    speed = speeds(project, last)
    rows = [
        Row(worker, speed.by_annotator.get(worker.id, Speed()).per_segment)
        for worker in sorted(work.workers, key=lambda worker: natural_key(worker.name))
    ]
    judgements = speed.together.segments
    return Overview(
        work=work,
        rows=rows,
        together=speed.together,
        end=_end(project, work, now),
        agreement=agreement_so_far(project, last=last, judgements=judgements),
    )


def _end(project: Project, work: ProjectProgress, now: datetime) -> EstimatedEnd:
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
    # Nobody judges a sentence twice as one of its judges.
    return NoEnd.TOO_FEW_JUDGES if work.missing_judges > work.judges else None

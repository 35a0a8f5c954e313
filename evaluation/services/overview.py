"""The state of a project while people judge: progress, speed, and the estimated end."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from annotation.judging.project_counts import JudgedSentences
from annotation.models import Project
from annotation.selectors.judged_sentences import last_submission
from annotation.selectors.judgements import Speed
from annotation.selectors.project_progress import (
    AnnotatorActivity,
    ProjectProgress,
    progress_of,
    submitted_by_day,
)
from annotation.selectors.stuck_sentences import count_stuck
from annotation.selectors.submitted_work import (
    SubmittedWork,
    recent_judged_sentences,
    recent_work,
)
from annotation.selectors.working_time import WorkingTime, recent_speeds, working_time
from evaluation.stats.annotators.forecast import (
    FEWEST_JUDGED,
    EstimatedEnd,
    NoEnd,
    estimate_end,
)
from evaluation.stats.judgements import natural_key


@dataclass(frozen=True)
class Row:
    """An annotator with their work, and the mean seconds for a segment; None if unknown."""

    worker: AnnotatorActivity
    submitted: SubmittedWork
    seconds: float | None


@dataclass(frozen=True)
class Overview:
    """Progress, the work and speed of annotators, and the estimated end.

    `days` are the assignments submitted on each of the last days. Annotators are in the natural
    order of their names, so rows keep their places. No annotator is left for `stuck` sentences.
    """

    work: ProjectProgress
    rows: list[Row]
    submitted: SubmittedWork
    sentences: JudgedSentences
    together: Speed
    end: EstimatedEnd
    time: WorkingTime
    days: dict[date, int]
    stuck: int

    @property
    def hours_left(self) -> float | None:
        """The hours of judging that are left; None before FEWEST_JUDGED sentences are judged."""
        if self.work.submitted < FEWEST_JUDGED:
            return None
        return self.time.hours_of(self.work.left)

    @property
    def own_counts(self) -> list[str]:
        """The counts whose numbers are not those of first assignments, today, or each other."""
        known = {self.work.submitted, self.work.today}
        told = []
        for name, number in (
            ("sentences", self.sentences.judged),
            ("assignments", self.submitted.assignments),
            ("judgements", self.submitted.judgements),
        ):
            if number not in known:
                known.add(number)
                told.append(name)
        return told

    @property
    def percent(self) -> int:
        """The percentage that is judged, rounded down: 100 only when everything is."""
        return 100 * self.work.submitted // self.work.wanted if self.work.wanted else 0

    @property
    def at_work(self) -> list[AnnotatorActivity]:
        return [row.worker for row in self.rows if row.worker.is_active]

    @property
    def people_today(self) -> int:
        return sum(row.worker.today > 0 for row in self.rows)


def overview_of(project: Project, *, now: datetime, zone: ZoneInfo) -> Overview:
    """Return the overview by a fixed number of queries; "today" is a day in the time zone."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    work = progress_of(project, now=now, midnight=midnight)
    last = last_submission(project)
    by_annotator = recent_speeds(project, last)
    submitted = recent_work(project, work.sentences)
    rows = [
        Row(
            worker,
            submitted.of(worker.id),
            by_annotator.get(worker.id, Speed()).per_segment,
        )
        for worker in sorted(work.workers, key=lambda worker: natural_key(worker.name))
    ]
    together = sum(by_annotator.values(), Speed())
    return Overview(
        work=work,
        rows=rows,
        submitted=submitted.together,
        sentences=recent_judged_sentences([project])[project.pk],
        together=together,
        end=_estimated_end(project, work, now),
        time=working_time(project, sentences=work.sentences, speed=together),
        days=submitted_by_day(project, sentences=work.sentences, now=now, zone=zone),
        stuck=count_stuck(project, work.sentences) if work.left else 0,
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

"""The progress and the result of a preparation."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.common.error_messages import LocalizedMessage
from annotation.models import Job, Project, Segment, Translation
from annotation.pipeline.acceptance_project import STAGE as EDITS
from annotation.pipeline.jobs import error_message
from annotation.pipeline.project_copy import STAGE as COPY
from annotation.pipeline.ready_made_segments import STAGE
from annotation.pipeline.stages.alignment import LONG, SAMPLE_PAIRS
from annotation.pipeline.stages.plan import RESOLVED
from annotation.pipeline.time_left import (
    DONE,
    FAILED,
    RUNNING,
    WAITING,
    Reached,
    StageProgress,
    seconds_left,
    stage_list,
)
from annotation.preparation.parsers import PhrasesParser, parser_of_language
from annotation.process import clock
from annotation.projects.provenance import Counts, provenance_of

LABELS: dict[str, Any] = {
    "tokens": gettext_lazy("Tokenising"),
    "segments": gettext_lazy("Parsing and segmenting"),
    "sample": gettext_lazy("Training the aligner on a sample"),
    "alignment": gettext_lazy("Aligning words"),
    "candidates": gettext_lazy("Collecting candidates"),
    "campaign": gettext_lazy("Adding checks and marked errors of the campaign"),
    STAGE: gettext_lazy("Importing the segments"),
    COPY: gettext_lazy("Copying the texts"),
    EDITS: gettext_lazy("Collecting the edits"),
}
# The only stage of jobs that are one chunk.
STAGES: dict[str, str] = {
    Job.Task.IMPORT_SEGMENTS: STAGE,
    Job.Task.COPY: COPY,
    Job.Task.COLLECT_EDITS: EDITS,
}
# The state of a project whose job is done, or that has none.
READY = "ready"


@dataclass(frozen=True)
class Stage:
    """A stage of the preparation; `share` is its progress in percent, None if unknown."""

    name: str
    label: str
    state: str
    share: int | None
    detail: str


@dataclass(frozen=True)
class Report:
    """`state` is "queued", "running", "failed" or "ready"."""

    state: str
    announcement: str
    left_in_words: str
    stages: list[Stage]
    error: LocalizedMessage | None
    counts: Counts

    @property
    def is_over(self) -> bool:
        return self.state in {FAILED, READY}


def report(project: Project) -> Report:
    """Return the progress of the project's preparation. At most six queries."""
    job = Job.objects.filter(project=project).first()
    if job is None or not job.makes_project or job.state == Job.State.DONE:
        return _ready(project)
    has_failed = job.state == Job.State.FAILED
    is_running = job.state == Job.State.RUNNING
    reached = _reached(job)
    if job.is_one_chunk:
        state = FAILED if has_failed else RUNNING if is_running else WAITING
        stages = [
            StageProgress(STAGES[job.task], state, job.done / job.total if job.total else None)
        ]
    else:
        stages = stage_list(reached, is_running=is_running, has_failed=has_failed)
    left = _seconds_left(project, job, reached) if is_running and not job.is_one_chunk else None
    return Report(
        state=str(job.state),
        announcement=_announcement(job, stages),
        left_in_words=left_in_words(left) if left is not None else "",
        stages=[_stage(job, stage) for stage in stages],
        error=error_message(job),
        counts=Counts(),
    )


def _ready(project: Project) -> Report:
    announcement = _("The project is ready and open.")
    if project.state != Project.State.OPEN:
        announcement = _("The project is ready. Open it to start judging.")
    return Report(READY, announcement, "", [], None, provenance_of(project).counts)


def _reached(job: Job) -> Reached:
    until = job.finished or clock.now()
    elapsed = (until - job.started).total_seconds() if job.started else 0.0
    stages = [(str(name), float(start)) for name, start in job.stages]
    return Reached(stages, job.done, job.total, max(0.0, elapsed))


def _seconds_left(project: Project, job: Job, reached: Reached) -> float | None:
    translations = Translation.objects.filter(sentence__project=project).count()
    sentences = project.sentences.count()
    segments = Segment.objects.filter(sentence__project=project).count() or 3 * sentences
    units = {
        "tokens": sentences + translations,
        "segments": sentences,
        "sample": SAMPLE_PAIRS if translations >= LONG else 0,
        "alignment": translations,
        "candidates": segments,
    }
    options = job.options | job.options.get(RESOLVED, {})
    return seconds_left(
        reached,
        units,
        parser=_parser(project, options.get("parser", "auto")),
        aligner=options.get("aligner", "auto"),
    )


def _parser(project: Project, chosen: str) -> str:
    """Return the name of the parser that will be used, as far as the languages tell.

    Which one it is, is known once the stage of the tokens is complete.
    """
    if chosen != "auto":
        return chosen
    known = parser_of_language(project.source_language, settings.STANZA_MODELS)
    return known or PhrasesParser.name


def _stage(job: Job, stage: StageProgress) -> Stage:
    share = None if stage.share is None else round(100 * stage.share)
    return Stage(
        name=stage.name,
        label=str(LABELS.get(stage.name, stage.name)),
        state=stage.state,
        share=share,
        detail=_detail(job, stage, share),
    )


def _detail(job: Job, stage: StageProgress, share: int | None) -> str:
    if stage.state == DONE:
        return _took(stage.seconds or 0)
    if stage.state == FAILED:
        return _("stopped here")
    if stage.state == RUNNING:
        return _("%(share)d %%") % {"share": share} if share is not None else _("running")
    return _("pending")


def _took(seconds: float) -> str:
    if seconds < 90:
        whole = max(1, round(seconds))
        return ngettext("%(n)d second", "%(n)d seconds", whole) % {"n": whole}
    whole = round(seconds / 60)
    return ngettext("%(n)d minute", "%(n)d minutes", whole) % {"n": whole}


def left_in_words(seconds: float) -> str:
    """Return a rounded time such as "about 2 minutes left"."""
    if seconds < 10:
        return _("a few seconds left")
    if seconds < 55:
        whole = 10 * round(seconds / 10)
        return ngettext("about %(n)d second left", "about %(n)d seconds left", whole) % {"n": whole}
    whole = max(1, round(seconds / 60))
    return ngettext("about %(n)d minute left", "about %(n)d minutes left", whole) % {"n": whole}


def _announcement(job: Job, stages: list[StageProgress]) -> str:
    if job.state == Job.State.FAILED:
        return _("The preparation failed.")
    if job.state == Job.State.CANCELLED:
        return _("The preparation was cancelled.")
    current = next((stage for stage in stages if stage.state == RUNNING), None)
    if current is None:
        return _("Waiting for a worker.")
    place = stages.index(current) + 1
    return _("Step %(place)d of %(count)d: %(label)s") % {
        "place": place,
        "count": len(stages),
        "label": LABELS.get(current.name, current.name),
    }

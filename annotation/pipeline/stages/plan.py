"""The order of the stages, into which chunks each is cut, and what is to be true after it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db.models import Max

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import (
    AlignmentPriors,
    Candidate,
    Chunk,
    Job,
    Project,
    Projection,
    Segment,
)
from annotation.pipeline.stages.alignment import (
    align,
    is_long,
    learn_words,
    resolve_aligner,
    sentences_of_a_part,
)
from annotation.pipeline.stages.candidates import project_candidates
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.segments import (
    AT_A_TIME,
    OTHERS_AT_A_TIME,
    cut_segments,
    resolve_parser,
)
from annotation.pipeline.stages.tokens import tokenise
from annotation.preparation.segmenters import GivenSegments
from annotation.preparation.statistics import Quality
from annotation.projects.options import PrepareOptions
from annotation.projects.parallel_text import forget_parallel
from annotation.projects.preparation_quality import VERBLESS

TOKENS, SEGMENTS, SAMPLE, ALIGNMENT, CANDIDATES = (
    "tokens",
    "segments",
    "sample",
    "alignment",
    "candidates",
)
# In their order, with what does a part of each.
WORK: dict[str, Callable[[Part], Made]] = {
    TOKENS: tokenise,
    SEGMENTS: cut_segments,
    SAMPLE: learn_words,
    ALIGNMENT: align,
    CANDIDATES: project_candidates,
}
# What chunks say of how they were made that is kept with the project.
KEPT = ("tokens", "parser", "coverage", VERBLESS, "aligner")
# In the options of a job: what was chosen where "auto" was asked for. Another try chooses anew.
RESOLVED = "resolved"
# Sentences of a chunk: a worker needs some seconds for them, and whoever judges meanwhile waits
# for less than one while they are written.
SENTENCES = 250


def first_stage(job: Job) -> tuple[str, list[Chunk]]:
    """Return where the preparation begins, once more perhaps: chunks delete what was made."""
    AlignmentPriors.objects.filter(project=job.project).delete()
    return TOKENS, _chunks(job, TOKENS)


def next_stage(job: Job) -> tuple[str, list[Chunk]] | None:
    """Return what follows the job's stage, which is complete, and its chunks; None at the end.

    What is chosen for the rest of the job is written into the job's options, which are not saved.
    Raises InputError where the texts cannot be prepared.
    """
    _check(job)
    names = list(WORK)
    for stage in names[names.index(job.stage) + 1 :]:
        options = _resolved(job, stage)
        if stage == SAMPLE and not is_long(job.project, options):
            continue
        return stage, _chunks(job, stage)
    return None


def finish(job: Job) -> None:
    """Open the project, with what its chunks say of how it was made. In one transaction, please."""
    project, options = job.project, options_of(job)
    made = _made(job)
    quality = _quality(project, job)
    project.provenance |= {
        "segranks": settings.VERSION,
        **{key: made[key] for key in KEPT if key in made},
        "counts": counts(project),
        "quality": quality.to_json(),
    }
    project.state = Project.State.OPEN if options.open_at_once else Project.State.CLOSED
    project.save(update_fields=["provenance", "state"])
    forget_parallel(project)
    if options.parser == GivenSegments.name:
        # These were no trees, and are not needed any more.
        project.sentences.update(tree="")


def options_of(job: Job) -> PrepareOptions:
    """Return how the project is prepared: "auto" is what it was found to mean."""
    asked = {name: value for name, value in job.options.items() if name != RESOLVED}
    return PrepareOptions(**asked | job.options.get(RESOLVED, {}))


def counts(project: Project) -> dict[str, int]:
    """Return how much the project holds, from its sentences to its candidates."""
    projections = Projection.objects.filter(system__project=project)
    projected = projections.filter(candidate__isnull=False).count()
    return {
        "sentences": project.sentences.count(),
        "systems": project.systems.count(),
        "segments": Segment.objects.filter(sentence__project=project).count(),
        "projected": projected,
        "candidates": Candidate.objects.filter(segment__sentence__project=project).count(),
        "missing": projections.count() - projected,
    }


def _resolved(job: Job, stage: str) -> PrepareOptions:
    """Write into the job's options what "auto" means: all workers are to take the same."""
    options, resolved = options_of(job), job.options.setdefault(RESOLVED, {})
    if stage == SEGMENTS:
        resolved["parser"] = resolve_parser(job.project, options)
    elif stage == SAMPLE:
        resolved["aligner"] = resolve_aligner(options)
    return options_of(job)


def _chunks(job: Job, stage: str) -> list[Chunk]:
    last = job.project.sentences.aggregate(last=Max("number"))["last"] or 0
    size = _sentences(job, stage) or last
    return [
        Chunk(job=job, stage=stage, first=first, last=min(first + size - 1, last))
        for first in range(1, last + 1, size or 1)
    ]


def _sentences(job: Job, stage: str) -> int | None:
    """Return how many sentences a chunk has; None for all of them."""
    options = options_of(job)
    if stage == SAMPLE:
        return None
    if stage == ALIGNMENT:
        return sentences_of_a_part(job.project, options)
    if stage == SEGMENTS:
        return AT_A_TIME.get(options.parser, OTHERS_AT_A_TIME)
    return SENTENCES


def _check(job: Job) -> None:
    project = job.project
    segments = Segment.objects.filter(sentence__project=project)
    if job.stage == SEGMENTS and not segments.exists():
        raise InputError(
            _(
                "No segment of %(shortest)d to %(longest)d tokens can be cut out of the source: "
                "its sentences are too short, or the lengths are too narrow."
            ),
            shortest=project.min_length,
            longest=project.max_length,
        )
    candidates = Candidate.objects.filter(segment__sentence__project=project)
    if job.stage == CANDIDATES and not candidates.exists():
        raise InputError(
            _(
                "No system has a candidate for any segment: their texts are empty, or nothing in "
                "them is aligned with the source."
            )
        )


def _made(job: Job) -> dict[str, Any]:
    """Return what all chunks together say: sums, and of workers of several versions each."""
    made: dict[str, Any] = {}
    for chunk in job.chunks.order_by("pk"):
        for key, value in chunk.made.items():
            made[key] = _joined(made[key], value) if key in made else value
    if "sample" in made:
        made["aligner"]["sample"] = made["sample"]
    return made


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: _joined(value, other.get(key, value)) for key, value in one.items()}
    if isinstance(one, int):
        return one + other
    if isinstance(one, str) and other != one:
        return ", ".join(dict.fromkeys((*one.split(", "), other)))
    return one


def _quality(project: Project, job: Job) -> Quality:
    """Return how well the preparation went, of what the chunks counted."""
    whole = Quality()
    for made in job.chunks.filter(stage=CANDIDATES).values_list("made", flat=True):
        whole = whole.plus(Quality.from_json(made["quality"]))
    uncut = project.sentences.filter(segments__isnull=True).count()
    return replace(whole, sentences=project.sentences.count(), uncut=uncut)

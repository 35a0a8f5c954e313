"""The order of the stages, how each is cut into chunks, and what holds when a stage is complete."""

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db.models import Count
from msgspec import convert
from msgspec.structs import replace

from annotation.common.transactions import Writing
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
    Sentence,
    Translation,
)
from annotation.pipeline.single_translations import line_count
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.stages.alignment import (
    align,
    is_long,
    learn_priors,
    sentences_per_chunk,
)
from annotation.pipeline.stages.batches import store_batches
from annotation.pipeline.stages.campaign import store_campaign_parts
from annotation.pipeline.stages.candidates import project_candidates
from annotation.pipeline.stages.segments import (
    CHUNK_SIZE,
    CHUNK_SIZES,
    cut_segments,
)
from annotation.pipeline.stages.tokens import tokenise
from annotation.pipeline.unit_preparation import preparation_of
from annotation.preparation.segmenters import GivenSegments
from annotation.preparation.statistics import Quality
from annotation.projects.options import PrepareOptions
from annotation.projects.overlap import mark_overlap
from annotation.projects.parallel_text import delete_parallel_text
from annotation.projects.preparation_quality import VERBLESS
from annotation.projects.provenance import Counts, record
from annotation.projects.tutorials import add_tutorial

TOKENS, SAMPLE, ALIGNMENT, SEGMENTS = "tokens", "sample", "alignment", "segments"
CANDIDATES, BATCHES, CAMPAIGN = "candidates", "batches", "campaign"
StageFunctions = dict[str, Callable[[Part], StageResult]]
# In the order of the stages.
STAGE_FUNCTIONS: StageFunctions = {
    TOKENS: tokenise,
    SAMPLE: learn_priors,
    ALIGNMENT: align,
    SEGMENTS: cut_segments,
    CANDIDATES: project_candidates,
    BATCHES: store_batches,
    CAMPAIGN: store_campaign_parts,
}
# Results that are stored in the project's provenance.
PROVENANCE_KEYS = ("tokens", "parser", "coverage", VERBLESS, "aligner")
# In the options of a job: what "auto" was resolved to. A retry resolves it again.
RESOLVED = "resolved"
# Sentences of a chunk: a worker needs some seconds for them, and annotators wait for less than one
# second while they are stored.
SENTENCES = 250


def next_stage(job: Job) -> str | None:
    """Return the stage that follows the job's stage, which is complete; None after the last one.

    What an earlier try has stored is replaced stage by stage. Writes what "auto" means into the
    job's options, without saving the job: all workers are to use the same parser and aligner.
    Raises InputError where the texts cannot be prepared.
    """
    preparation = preparation_of(job.project)
    if not job.stage:
        AlignmentPriors.objects.filter(project=job.project).delete()
        preparation.delete_earlier(job.project)
        job.options[RESOLVED] = {}
        return TOKENS
    _check_results_of(job)
    if job.stage in (CANDIDATES, BATCHES, CAMPAIGN):
        options = options_of(job)
        wanted = {BATCHES: options.batches, CAMPAIGN: bool(options.campaign)}
        after = [CANDIDATES, *wanted]
        return next((one for one in after[after.index(job.stage) + 1 :] if wanted[one]), None)
    if job.stage == TOKENS:
        # A parser that is missing is known before the long alignment.
        job.options[RESOLVED]["parser"] = preparation.parser(job.project, options_of(job))
        aligner = preparation.aligner(options_of(job))
        if aligner is None:
            return SEGMENTS
        job.options[RESOLVED]["aligner"] = aligner
        if not is_long(job.project, options_of(job)):
            return ALIGNMENT
    stages = list(STAGE_FUNCTIONS)
    return stages[stages.index(job.stage) + 1]


def chunks_of(job: Job, stage: str) -> list[Chunk]:
    """Return the chunks into which the stage is cut; they are not stored yet."""
    last = line_count(job.project)
    options = options_of(job)
    if stage in (SAMPLE, BATCHES, CAMPAIGN):
        size = last
    elif stage == ALIGNMENT:
        size = sentences_per_chunk(job.project, options)
    elif stage == SEGMENTS:
        size = CHUNK_SIZES.get(options.parser, CHUNK_SIZE)
    else:
        size = SENTENCES
    firsts = list(range(1, last + 1, size or 1))
    if stage == CANDIDATES:
        firsts = preparation_of(job.project).first_lines(job.project, firsts)
    return [
        Chunk(job=job, stage=stage, first=first, last=next_first - 1)
        for first, next_first in pairwise([*firsts, last + 1])
    ]


def do_chunk(
    job: Job,
    chunk: Chunk,
    functions: StageFunctions,
    *,
    progress: Callable[[int], None],
    writing: Writing,
) -> StageResult:
    """Do the chunk by the function of its stage.

    `progress` takes how many sentences of the chunk are done; `writing` is as in Part.
    """

    def progress_of_part(done: int, total: int) -> None:
        progress(chunk.size * done // total if total else 0)

    return functions[chunk.stage](
        Part(job.project, options_of(job), chunk.first, chunk.last, progress_of_part, writing)
    )


def finish(job: Job, results: Iterable[StageResult]) -> None:
    """Open the project, with the provenance that its chunks report. Call it in a transaction."""
    project, options = job.project, options_of(job)
    joined: StageResult = reduce(_join, results, {})
    if "sample" in joined:
        joined["aligner"]["sample"] = joined["sample"]
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    quality = replace(
        convert(joined["quality"], Quality),
        sentences=judged.count(),
        uncut=judged.filter(segments__isnull=True).count(),
    )
    record(
        project,
        segranks=settings.VERSION,
        **{key: joined[key] for key in PROVENANCE_KEYS if key in joined},
        **({"batches": joined["batches"], "seed": joined["seed"]} if "batches" in joined else {}),
        **preparation_of(project).provenance(options),
        counts=counts(project),
        quality=quality,
    )
    project.state = Project.State.OPEN if options.open_at_once else Project.State.CLOSED
    project.save(update_fields=["provenance", "state"])
    mark_overlap(project)
    delete_parallel_text(project)
    if options.tutorial:
        add_tutorial(project=project)
    if options.parser == GivenSegments.name:
        # The column held the given segments, not trees.
        project.sentences.update(tree="")


def options_of(job: Job) -> PrepareOptions:
    """Return how the project is prepared, with what "auto" was resolved to."""
    asked = {name: value for name, value in job.options.items() if name != RESOLVED}
    return convert(asked | job.options.get(RESOLVED, {}), PrepareOptions)


def counts(project: Project) -> Counts:
    """Return how many sentences, systems, segments and candidates the project has."""
    projections = Projection.objects.filter(system__project=project)
    projected = projections.filter(candidate__isnull=False).count()
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    return Counts(
        sentences=judged.aggregate(lines=Count(Sentence.LINE, distinct=True))["lines"],
        systems=project.systems.count(),
        segments=Segment.objects.filter(sentence__in=judged, of_document=False).count(),
        projected=projected,
        candidates=Candidate.objects.filter(segment__sentence__in=judged).count(),
        missing=projections.count() - projected,
    )


def _check_results_of(job: Job) -> None:
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
    outputs = Translation.objects.filter(sentence__project=project, system__isnull=False)
    is_later = preparation_of(project).chooses_later(options_of(job))
    if job.stage == CANDIDATES and not (outputs if is_later else candidates).exists():
        raise InputError(
            _(
                "No system has a candidate for any segment: their texts are empty, or nothing in "
                "them is aligned with the source."
            )
        )


def _join(one: Any, other: Any) -> Any:
    """Return the sum of two counts, or both of two texts, as of workers of several versions."""
    if isinstance(one, dict):
        of_both = {key: _join(one[key], other[key]) for key in one.keys() & other.keys()}
        return one | other | of_both
    if isinstance(one, int):
        return one + other
    if isinstance(one, str) and other != one:
        return ", ".join(dict.fromkeys((*one.split(", "), other)))
    return one

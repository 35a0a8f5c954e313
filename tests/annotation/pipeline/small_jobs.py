"""Small jobs for tests, and what they produced."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from annotation.models import Chunk, Job, Project, Projection
from annotation.pipeline import chunks
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS, TOKENS, StageFunctions
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from tests.installation import write_texts

SENTENCES = 10
SOON = timedelta(seconds=20)
OTHER = "elsewhere:10:abcd"


def make_job(folder: Path, lines: int = SENTENCES) -> Job:
    write_texts(folder, lines)
    return create_project(
        name="Essays",
        languages="en-cs",
        texts=Texts(
            source=folder / "source",
            systems={name: folder / name for name in ("north", "south")},
        ),
        options=PrepareOptions(parser="phrases", aligner="systran"),
    )


def before_tokens(function: Callable[[Part], None]) -> StageFunctions:
    """Return the functions of all stages; the first one calls the function before its work."""

    def tokenise(part: Part) -> StageResult:
        function(part)
        return STAGE_FUNCTIONS[TOKENS](part)

    return {**STAGE_FUNCTIONS, TOKENS: tokenise}


def lease_to(chunk: Chunk, worker: str, lasts: timedelta) -> Chunk:
    """Give the lease of the chunk to another worker, as if it had claimed it."""
    now = timezone.now()
    chunk.state, chunk.worker, chunk.started, chunk.lease_until = (
        "running",
        worker,
        now,
        now + lasts,
    )
    chunk.save()
    return chunk


def claimed_by_other(job: Job, lasts: timedelta) -> Chunk:
    """Return the job's only chunk, which another worker has claimed."""
    assert chunks.claim(job.pk)
    job.refresh_from_db()
    return lease_to(Chunk.objects.get(), OTHER, lasts)


def projections(project: Project) -> list[tuple[int, str, str, str]]:
    """Return sentence, segment, system and candidate of each projection."""
    rows = Projection.objects.filter(system__project=project).values_list(
        "segment__sentence__number", "segment__token_indices", "system__name", "candidate__text"
    )
    return sorted(rows)

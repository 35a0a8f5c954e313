"""Small jobs to be done, and what became of them."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from annotation.models import (
    Chunk,
    Job,
    Project,
    Projection,
    Translation,
)
from annotation.pipeline import chunks
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.plan import TOKENS, WORK
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from tests.installation import write_texts

WORKERS = 6
SENTENCES = 10
SOON = timedelta(seconds=20)
ELSEWHERE = "elsewhere/1:10:20:abcd"


def make_job(
    folder: Path, claim: Callable[[Job], None] | None = None, lines: int = SENTENCES
) -> Job:
    write_texts(folder, lines)
    return create_project(
        name="Essays",
        languages="en-cs",
        texts=Texts(
            source=folder / "source",
            systems={name: folder / name for name in ("north", "south")},
        ),
        options=PrepareOptions(parser="phrases", aligner="systran"),
        claim=claim,
    )


def first(function: Callable[[Part], None]) -> dict[str, Callable[[Part], Made]]:
    """Return the work of all stages, in whose first one this is done beforehand."""

    def tokenise(part: Part) -> Made:
        function(part)
        return WORK[TOKENS](part)

    return {**WORK, TOKENS: tokenise}


def running(chunk: Chunk, owner: str, lease: timedelta) -> Chunk:
    chunk.state, chunk.owner, chunk.lease_until = "running", owner, timezone.now() + lease
    chunk.save()
    return chunk


def taken(job: Job, owner: str, lease: timedelta) -> Chunk:
    """Return the job's only chunk, which another has."""
    assert chunks.claim(job.pk)
    job.refresh_from_db()
    return running(Chunk.objects.get(), owner, lease)


def made(project: Project) -> list[tuple[int, str, str, str]]:
    """Return all that was made: sentence, segment, system, candidate."""
    rows = Projection.objects.filter(system__project=project).values_list(
        "segment__sentence__number", "segment__token_indices", "system__name", "candidate__text"
    )
    return sorted(rows)


def linked_as(project: Project) -> dict[str, Callable[[Part], Made]]:
    """Return the work of all stages; the links are then those of this project.

    Two runs of an aligner differ in some, since its threads add up in any order.
    """

    def align(part: Part) -> Made:
        done = WORK["alignment"](part)
        links = Translation.objects.filter(sentence__project=project).values_list(
            "sentence__number", "system__name", "alignment"
        )
        for number, name, same in links:
            row = part.translations.filter(sentence__number=number, system__name=name)
            assert row.exclude(alignment="").update(alignment=same) == 1
        return done

    return {**WORK, "alignment": align}

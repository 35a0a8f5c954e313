"""Stages of chunks, each done by one worker at a time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection

from annotation.models import (
    AlignmentPriors,
    Chunk,
    Job,
    Project,
    Projection,
    Segment,
    Translation,
)
from annotation.pipeline import chunks, jobs
from annotation.pipeline.stages import alignment, plan
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.plan import WORK
from annotation.pipeline.stages.segments import AT_A_TIME
from tests.annotation.pipeline.setting import SENTENCES, WORKERS, linked_as, made, make_job
from tests.installation import TEXT


@pytest.mark.parametrize("free", [1, 4])
def test_only_one_of_many_workers_gets_a_chunk(
    job: Job, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SENTENCES", -(-SENTENCES // free))
    together = Barrier(WORKERS)

    def claim(_worker: int) -> int | None:
        try:
            together.wait()
            lease = chunks.claim(job.pk)
            return lease.chunk_id if lease else None
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        claimed = [chunk for chunk in workers.map(claim, range(WORKERS)) if chunk]
    assert sorted(claimed) == sorted(Chunk.objects.values_list("pk", flat=True))
    assert len(claimed) == free


def test_it_goes_through_all_stages_and_opens_the_project(job: Job, small: None) -> None:
    seen: list[tuple[str, int, int]] = []

    def noting(stage: str) -> Callable[[Part], Made]:
        def work(part: Part) -> Made:
            seen.append((stage, part.first, part.last))
            return WORK[stage](part)

        return work

    jobs.run(job.pk, {stage: noting(stage) for stage in WORK})
    parts = [(1, 3), (4, 6), (7, 9), (10, 10)]
    assert seen == [
        *(("tokens", *part) for part in parts),
        *(("segments", *part) for part in parts),
        ("alignment", 1, 10),
        *(("candidates", *part) for part in parts),
    ]
    job.refresh_from_db()
    assert (job.state, job.owner, job.done, job.total) == (Job.State.DONE, "", 10, 10)
    assert job.finished
    assert job.started
    assert job.finished >= job.started
    assert Project.objects.get().state == Project.State.OPEN
    assert not Chunk.objects.exists()


def test_chunks_of_any_size_make_the_same(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.run(job.pk)
    whole = made(job.project)
    Project.objects.filter(pk=job.project_id).update(name="In one go")
    other = make_job(tmp_path)
    monkeypatch.setattr(plan, "SENTENCES", 1)
    monkeypatch.setitem(AT_A_TIME, "phrases", 2)
    jobs.run(other.pk, linked_as(job.project))
    assert made(other.project) == whole != []
    one, two = (row.provenance for row in Project.objects.order_by("pk"))
    assert one == two


def test_a_very_long_text_is_aligned_in_parts_after_a_sample(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "LONG", 20)
    monkeypatch.setattr(alignment, "OF_A_PART", 8)
    monkeypatch.setattr(alignment, "OF_THE_SAMPLE", 10)
    Job.objects.update(options=job.options | {"aligner": "eflomal"})
    seen: list[tuple[int, int]] = []

    def align(part: Part) -> Made:
        seen.append((part.first, part.last))
        return WORK["alignment"](part)

    jobs.run(job.pk, {**WORK, "alignment": align})
    assert [stage for stage, _began in Job.objects.get().stages] == list(WORK)
    assert seen == [(1, 4), (5, 8), (9, 10)]
    project = Project.objects.get()
    assert project.state == Project.State.OPEN
    assert project.provenance["aligner"]["sample"] == 10
    assert AlignmentPriors.objects.filter(project=project, aligner="eflomal").exists()
    linked = Translation.objects.exclude(alignment="").count()
    assert linked == Translation.objects.count() == 2 * SENTENCES


def test_links_are_those_of_their_sentence(job: Job, small: None) -> None:
    jobs.run(job.pk)
    translations = list(Translation.objects.select_related("sentence").order_by("pk"))
    # All end with a full stop, each somewhere else. Two runs of the program differ in some links.
    ends = [f"{len(row.sentence.token_list) - 1}-{len(row.token_list) - 1}" for row in translations]
    assert len(set(ends)) == len(TEXT)
    right = sum(row.alignment.endswith(end) for row, end in zip(translations, ends, strict=True))
    assert right >= 0.8 * len(ends)


@pytest.mark.parametrize("stage", list(WORK))
def test_a_chunk_that_is_done_twice_is_done_once(job: Job, small: None, stage: str) -> None:
    def twice(part: Part) -> Made:
        WORK[stage](part)
        return WORK[stage](part)

    jobs.run(job.pk, {**WORK, stage: twice})
    assert Project.objects.get().state == Project.State.OPEN
    assert Segment.objects.count() * 2 == Projection.objects.count() > 0


def test_many_workers_end_with_one_complete_project(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SENTENCES", 2)
    monkeypatch.setitem(AT_A_TIME, "phrases", 2)

    def work(_worker: int) -> None:
        try:
            while Job.objects.get(pk=job.pk).state in (Job.State.QUEUED, Job.State.RUNNING):
                jobs.run(job.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, range(WORKERS)))
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE
    Project.objects.filter(pk=job.project_id).update(name="By many")
    alone = make_job(tmp_path)
    jobs.run(alone.pk, linked_as(job.project))
    assert made(alone.project) == made(job.project) != []

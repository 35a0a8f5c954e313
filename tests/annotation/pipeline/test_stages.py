"""The stages of a preparation: the same result for any chunks and any number of workers."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
from annotation.pipeline.stages import Part, StageResult, alignment, plan
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS
from annotation.pipeline.stages.segments import CHUNK_SIZES
from tests.annotation.pipeline.small_jobs import SENTENCES, make_job, projections
from tests.installation import TEXT
from tests.jobs import run_job

databases = pytest.mark.databases
WORKERS = 4


@databases
def test_a_job_goes_through_all_stages_and_opens_the_project(job: Job, small_chunks: None) -> None:
    seen: list[tuple[str, int, int]] = []

    def noting(stage: str) -> Callable[[Part], StageResult]:
        def work(part: Part) -> StageResult:
            seen.append((stage, part.first, part.last))
            return STAGE_FUNCTIONS[stage](part)

        return work

    run_job(job.pk, {stage: noting(stage) for stage in STAGE_FUNCTIONS})
    parts = [(1, 3), (4, 6), (7, 9), (10, 10)]
    assert seen == [
        *(("tokens", *part) for part in parts),
        ("alignment", 1, 10),
        *(("segments", *part) for part in parts),
        *(("candidates", *part) for part in parts),
    ]
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (Job.State.DONE, 10, 10)
    assert job.finished
    assert job.started
    assert job.finished >= job.started
    assert Project.objects.get().state == Project.State.OPEN
    assert not Chunk.objects.exists()


@databases
def test_chunks_of_any_size_give_the_same_result(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_job(job.pk)
    whole = projections(job.project)
    Project.objects.filter(pk=job.project_id).update(name="In one go")
    other = make_job(tmp_path)
    monkeypatch.setattr(plan, "SENTENCES", 1)
    monkeypatch.setitem(CHUNK_SIZES, "phrases", 2)
    run_job(other.pk)
    assert projections(other.project) == whole != []
    one, two = (row.provenance for row in Project.objects.order_by("pk"))
    assert one == two


def test_a_very_long_text_is_aligned_in_chunks_after_a_sample(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "LONG", 20)
    monkeypatch.setattr(alignment, "CHUNK_PAIRS", 8)
    monkeypatch.setattr(alignment, "SAMPLE_PAIRS", 10)
    Job.objects.update(options=job.options | {"aligner": "eflomal"})
    seen: list[tuple[int, int]] = []

    def align(part: Part) -> StageResult:
        seen.append((part.first, part.last))
        return STAGE_FUNCTIONS["alignment"](part)

    run_job(job.pk, {**STAGE_FUNCTIONS, "alignment": align})
    stages = [stage for stage, _began in Job.objects.get().stages]
    assert stages == ["tokens", "sample", "alignment", "segments", "candidates"]
    assert seen == [(1, 4), (5, 8), (9, 10)]
    project = Project.objects.get()
    assert project.state == Project.State.OPEN
    assert project.provenance["aligner"]["sample"] == 10
    assert AlignmentPriors.objects.filter(project=project, aligner="eflomal").exists()
    linked = Translation.objects.exclude(alignment="").count()
    assert linked == Translation.objects.count() == 2 * SENTENCES


def test_any_number_of_workers_aligns_a_very_long_text_alike(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "LONG", 20)
    monkeypatch.setattr(alignment, "CHUNK_PAIRS", 8)
    Job.objects.update(options=job.options | {"aligner": "eflomal", "effort": "fast"})
    run_by_many(job)
    Project.objects.filter(pk=job.project_id).update(name="By many")
    alone = make_job(tmp_path)
    Job.objects.update(options=job.options | {"aligner": "eflomal", "effort": "fast"})
    run_job(alone.pk)
    assert links(alone.project) == links(job.project)


def links(project: Project) -> list[str]:
    rows = Translation.objects.filter(sentence__project=project).order_by("pk")
    return list(rows.values_list("alignment", flat=True))


def run_by_many(job: Job) -> None:
    """Let several workers do the job."""

    def work(_worker: int) -> None:
        try:
            while Job.objects.get(pk=job.pk).state in (Job.State.QUEUED, Job.State.RUNNING):
                run_job(job.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, range(WORKERS)))
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE


@databases
def test_links_belong_to_their_sentence(job: Job, small_chunks: None) -> None:
    run_job(job.pk)
    translations = list(Translation.objects.select_related("sentence").order_by("pk"))
    # All end with a full stop, each somewhere else.
    ends = [f"{len(row.sentence.tokenized) - 1}-{len(row.tokenized) - 1}" for row in translations]
    assert len(set(ends)) == len(TEXT)
    right = sum(row.alignment.endswith(end) for row, end in zip(translations, ends, strict=True))
    assert right >= 0.8 * len(ends)


@databases
@pytest.mark.parametrize("stage", list(STAGE_FUNCTIONS))
def test_a_chunk_done_twice_gives_the_result_once(job: Job, small_chunks: None, stage: str) -> None:
    def twice(part: Part) -> StageResult:
        STAGE_FUNCTIONS[stage](part)
        return STAGE_FUNCTIONS[stage](part)

    run_job(job.pk, {**STAGE_FUNCTIONS, stage: twice})
    assert Project.objects.get().state == Project.State.OPEN
    assert Segment.objects.count() * 2 == Projection.objects.count() > 0


@databases
def test_many_workers_prepare_one_complete_project(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SENTENCES", 2)
    monkeypatch.setitem(CHUNK_SIZES, "phrases", 2)
    run_by_many(job)
    Project.objects.filter(pk=job.project_id).update(name="By many")
    alone = make_job(tmp_path)
    run_job(alone.pk)
    assert links(alone.project) == links(job.project)
    assert projections(alone.project) == projections(job.project) != []

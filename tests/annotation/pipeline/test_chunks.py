"""Claims and leases of chunks, and the start of the next stage."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from annotation.common.claims import LEASE, LeaseLost, release_of_this_process
from annotation.models import Chunk, Job, Projection, Segment, Translation
from annotation.pipeline import chunks, jobs
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.stages import Part, StageResult, plan
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS, TOKENS
from tests.annotation.pipeline.small_jobs import (
    OTHER,
    SENTENCES,
    SOON,
    before_tokens,
    claimed_by_other,
    lease_to,
)
from tests.installation import wait_until
from tests.jobs import run_job

pytestmark = pytest.mark.databases

WORKERS = 6
EXPIRED = -timedelta(seconds=1)


@pytest.mark.parametrize("free", [1, 4])
def test_each_chunk_is_claimed_by_one_of_many_workers(
    job: Job, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SENTENCES", -(-SENTENCES // free))
    together = Barrier(WORKERS)

    def claim(_worker: int) -> int | None:
        try:
            together.wait()
            lease = chunks.claim(job.pk)
            return lease.chunk.pk if lease else None
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        claimed = [chunk for chunk in workers.map(claim, range(WORKERS)) if chunk]
    assert sorted(claimed) == sorted(Chunk.objects.values_list("pk", flat=True))
    assert len(claimed) == free


def test_a_chunk_with_a_live_lease_is_not_claimed(job: Job) -> None:
    claimed_by_other(job, SOON)
    assert chunks.has_live_lease(job)
    assert not chunks.pending_jobs()
    assert chunks.claim(job.pk) is None


def test_a_chunk_whose_lease_has_expired_is_claimed(job: Job) -> None:
    claimed_by_other(job, EXPIRED)
    assert not chunks.has_live_lease(job)
    assert chunks.pending_jobs().get() == job
    lease = chunks.claim(job.pk)
    assert lease
    assert lease.held().exists()


@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
def test_a_finished_job_is_not_claimed(job: Job, state: Job.State) -> None:
    Job.objects.update(state=state)
    assert not chunks.pending_jobs()
    assert chunks.claim(job.pk) is None


def test_a_job_of_a_command_is_not_claimed(job: Job) -> None:
    jobs.start_in_foreground(job)
    assert not chunks.pending_jobs()
    assert chunks.claim(job.pk) is None


def test_a_running_chunk_has_a_lease(job: Job) -> None:
    chunks.claim(job.pk)
    with pytest.raises(IntegrityError):
        Chunk.objects.update(lease_until=None)


def test_a_lost_lease_stores_nothing(job: Job) -> None:
    lease = chunks.claim(job.pk)
    assert lease
    lease_to(lease.chunk, OTHER, SOON)
    with pytest.raises(LeaseLost):
        lease.complete({"tokens": "late"})
    with pytest.raises(LeaseLost), lease.writing():
        pytest.fail("It wrote.")
    lease.release()
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.worker, chunk.result) == (Chunk.State.RUNNING, OTHER, {})


@pytest.mark.parametrize("stage", ["tokens", "segments", "alignment", "candidates"])
def test_no_stage_writes_for_a_chunk_of_another_worker(job: Job, stage: str) -> None:
    def lose_it(part: Part) -> StageResult:
        lease_to(Chunk.objects.exclude(state="done").get(), OTHER, SOON)
        return STAGE_FUNCTIONS[stage](part)

    assert run_job(job.pk, {**STAGE_FUNCTIONS, stage: lose_it}) is Outcome.LOST
    written = {
        "tokens": job.project.sentences.exclude(tokens=""),
        "segments": Segment.objects.all(),
        "alignment": Translation.objects.exclude(alignment=""),
        "candidates": Projection.objects.all(),
    }
    assert not written[stage].exists()
    assert Job.objects.get().state == Job.State.RUNNING


def test_a_lease_is_renewed_with_the_progress_of_the_work(job: Job) -> None:
    def work(part: Part) -> None:
        Chunk.objects.update(lease_until=timezone.now())
        part.progress(1, 2)
        later = Chunk.objects.filter(lease_until__gt=timezone.now() + LEASE / 2)
        wait_until(later.exists)
        wait_until(lambda: Job.objects.get().done == SENTENCES // 2)
        assert Job.objects.get().total == SENTENCES

    assert run_job(job.pk, before_tokens(work)) is Outcome.DONE
    assert Job.objects.get().state == Job.State.DONE


def test_work_stops_when_its_lease_is_lost(job: Job) -> None:
    def work(part: Part) -> None:
        lease_to(Chunk.objects.get(), OTHER, SOON)
        # It returns nothing: it raises LeaseLost once the renewal has failed.
        wait_until(lambda: part.progress(1, 2))

    assert run_job(job.pk, before_tokens(work)) is Outcome.LOST
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.worker) == (Chunk.State.RUNNING, OTHER)


def test_the_next_stage_starts_where_the_worker_was_killed_before(job: Job) -> None:
    lease = chunks.claim(job.pk)
    assert lease
    lease.complete({})
    assert chunks.pending_jobs().get() == job
    following = chunks.claim(job.pk)
    assert following
    assert following.chunk.stage == "alignment"


def test_a_stale_worker_starts_no_stage_after_a_retry(job: Job, small_chunks: None) -> None:
    for _chunk in range(4):
        assert jobs.process_chunk(job.pk) is Outcome.DONE
    stale = Job.objects.select_related("project").get()

    def fail(part: Part) -> StageResult:
        raise ValueError

    jobs.process_chunk(job.pk, {**STAGE_FUNCTIONS, "alignment": fail})
    assert jobs.retry(job.project)
    assert chunks.claim(job.pk)
    chunks.start_next_stage(stale)
    assert Job.objects.get().stage == TOKENS


def test_leases_of_this_process_can_be_released(job: Job) -> None:
    assert chunks.claim(job.pk)
    release_of_this_process(Chunk.objects.all())
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.worker) == (Chunk.State.WAITING, "")

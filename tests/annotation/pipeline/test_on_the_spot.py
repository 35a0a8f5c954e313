"""A job that one process keeps to itself."""

from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.models import (
    Chunk,
    Job,
    Project,
)
from annotation.pipeline import chunks, jobs, processes
from annotation.pipeline.leases import LeaseLost
from annotation.pipeline.stages.part import Part
from annotation.pipeline.stages.plan import CANDIDATES
from tests.annotation.pipeline.setting import SENTENCES, SOON, first, make_job, running


@pytest.mark.django_db
def test_a_job_can_be_kept_as_it_is_made_and_done_on_the_spot(tmp_path: Path) -> None:
    job, reached = make_job(tmp_path, jobs.claim_new), []
    assert jobs.unclaimed() == []
    assert chunks.claim(job.pk) is None
    jobs.work(job.pk, on_progress=lambda *step: reached.append(step))
    job.refresh_from_db()
    assert reached[-1] == (CANDIDATES, SENTENCES, SENTENCES)
    assert (job.state, job.owner) == (Job.State.DONE, "")


@pytest.mark.django_db
def test_what_fails_on_the_spot_is_raised(tmp_path: Path) -> None:
    job = make_job(tmp_path, jobs.claim_new)

    def work(part: Part) -> None:
        raise InputError("Nothing fits.")

    with pytest.raises(InputError, match="Nothing fits"):
        jobs.work(job.pk, do=first(work))


def test_a_job_of_a_process_that_is_gone_is_anyones(
    transactional_db: None, tmp_path: Path, ended_process: str
) -> None:
    job = make_job(tmp_path, jobs.claim_new)
    Job.objects.update(owner=f"{ended_process}:")
    assert jobs.unclaimed() == [Job.objects.get()]
    jobs.run(job.pk)
    assert Job.objects.get().state == Job.State.DONE


@pytest.mark.parametrize("problem", [ValueError("two at work"), KeyboardInterrupt(), None])
def test_what_another_took_over_is_left_to_the_other(
    transactional_db: None, tmp_path: Path, problem: BaseException | None
) -> None:
    job = make_job(tmp_path, jobs.claim_new)

    def stand_still(part: Part) -> None:
        Job.objects.update(owner="", lease_until=None)
        running(Chunk.objects.get(), "otherhost:1:1:aa", SOON)
        if problem:
            raise problem

    with pytest.raises(LeaseLost):
        jobs.work(job.pk, do=first(stand_still))
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.owner) == (Chunk.State.RUNNING, "otherhost:1:1:aa")
    assert Project.objects.get().state == Project.State.PREPARING


def test_a_reused_process_number_is_another_process() -> None:
    host, number, _started = processes.this_process().rsplit(":", 2)
    assert not processes.is_gone(processes.this_process())
    assert processes.is_gone(f"{host}:{number}:1")
    assert not processes.is_gone(f"elsewhere/1:{number}:1")

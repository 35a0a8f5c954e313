"""How a job ends: with a project, with a reason, or elsewhere."""

from collections.abc import Callable

from django.db import OperationalError
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.models import (
    Chunk,
    Job,
    Project,
)
from annotation.pipeline import jobs, processes
from annotation.pipeline.stages.part import Part
from tests.annotation.pipeline.setting import SOON, first, taken


def test_bad_input_fails_the_job_and_its_project_with_its_sentence(job: Job) -> None:
    def work(part: Part) -> None:
        raise InputError("trees.txt, line 3: 4 leaves, 5 tokens.")

    jobs.run(job.pk, first(work))
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "trees.txt, line 3: 4 leaves, 5 tokens.")
    assert job.project.state == Project.State.FAILED


def test_a_stage_that_cannot_begin_fails_the_job(job: Job) -> None:
    job.options["aligner"] = "unheard of"
    job.save()
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "There is no aligner 'unheard of'" in job.error


def test_an_unexpected_error_fails_the_job_with_one_line(job: Job) -> None:
    def work(part: Part) -> None:
        raise RuntimeError("no space\nin the second line")

    jobs.run(job.pk, first(work))
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "RuntimeError: no space" in job.error
    assert "\n" not in job.error


def test_what_the_database_refuses_for_a_moment_is_tried_again(job: Job) -> None:
    refused: list[bool] = []

    def work(part: Part) -> None:
        if not refused:
            refused.append(True)
            raise OperationalError("database is locked")

    jobs.run(job.pk, first(work))
    assert Job.objects.get().state == Job.State.RUNNING
    # Its lease runs out.
    Chunk.objects.update(lease_until=timezone.now())
    jobs.run(job.pk, first(work))
    assert Job.objects.get().state == Job.State.DONE


def test_what_ends_its_worker_each_time_fails_in_the_end(job: Job, ended_process: str) -> None:
    def ended(part: Part) -> None:
        # As if the process had been killed: it releases nothing.
        Chunk.objects.update(owner=f"{ended_process}:abcd")

    times = 0
    while jobs.step(job.pk, first(ended)):
        times += 1
    job.refresh_from_db()
    assert (job.state, times) == (Job.State.FAILED, 5)
    assert "stopped 5 times at the same place (tokens, sentences 1 to 10" in job.error


def test_an_interrupted_chunk_is_others_again_and_the_rest_stays_done(
    job: Job, small: None, stopping: Callable[[], None]
) -> None:
    def work(part: Part) -> None:
        if part.first == 4:
            stopping()
        part.progress(1, 2)

    jobs.run(job.pk, first(work))
    job.refresh_from_db()
    assert (job.state, job.project.state) == (Job.State.RUNNING, Project.State.PREPARING)
    states = list(Chunk.objects.order_by("first").values_list("state", "owner"))
    assert states == [("done", ""), *[("waiting", "")] * 3]
    # That was nobody's failure.
    assert set(Chunk.objects.filter(state="waiting").values_list("tries", flat=True)) == {0}
    assert jobs.unclaimed() == [job]


def test_what_fails_because_the_process_ends_is_not_a_failure(
    job: Job, stopping: Callable[[], None]
) -> None:
    def work(part: Part) -> None:
        stopping()
        raise InputError("eflomal failed with status -9.")

    jobs.run(job.pk, first(work))
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.RUNNING, "")
    assert Chunk.objects.get().state == Chunk.State.WAITING


def test_all_that_this_process_works_on_can_be_released(job: Job) -> None:
    chunk = taken(job, f"{processes.this_process()}:abcd", SOON)
    jobs.release_all()
    chunk.refresh_from_db()
    assert (chunk.state, chunk.owner) == (Chunk.State.WAITING, "")

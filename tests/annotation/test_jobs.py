"""Jobs: one worker at a time, whatever happens to the others."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from annotation import jobs, processes
from annotation.formats.errors import InputError
from annotation.leases import LEASE, LeaseLost
from annotation.models import Job, Project
from annotation.preparing import Progress
from annotation.projects import PrepareOptions
from tests.installation import wait_until

WORKERS = 6
SOON = timedelta(seconds=20)


@pytest.fixture
def job(transactional_db: None) -> Job:
    return make_job()


def make_job() -> Job:
    project = Project.objects.create(name="Essays", source_language="en", target_language="cs")
    return Job.objects.create(project=project, options={"parser": "phrases"})


def running(job: Job, owner: str, lease: timedelta) -> Job:
    job.state, job.owner, job.lease_until = Job.State.RUNNING, owner, timezone.now() + lease
    job.save()
    return job


@pytest.fixture
def ended_process() -> str:
    """The name of a process of this machine that is there no longer."""
    code = "from annotation import processes; print(processes.this_process())"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def stopping() -> Iterator[Callable[[], None]]:
    yield jobs.stopping.set
    jobs.stopping.clear()


def does_nothing(project_id: int, options: PrepareOptions, progress: Progress) -> None:
    pass


def test_only_one_of_many_workers_gets_a_job(job: Job) -> None:
    together = Barrier(WORKERS)

    def claim(_worker: int) -> bool:
        try:
            together.wait()
            return jobs.claim(job.pk) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as workers:
        claimed = list(workers.map(claim, range(WORKERS)))
    assert sorted(claimed) == [False] * (WORKERS - 1) + [True]


def test_it_does_the_work_with_its_options_and_is_done(job: Job) -> None:
    seen = []

    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        seen.append((project_id, options))

    jobs.run(job.pk, work)
    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert seen == [(job.project_id, PrepareOptions(parser="phrases"))]
    assert (job.state, job.owner, job.lease_until) == (Job.State.DONE, "", None)
    assert job.finished
    assert job.started
    assert job.finished >= job.started


def test_it_leaves_a_job_alone_that_another_host_works_on(job: Job) -> None:
    running(job, "elsewhere/1:10:20:abcd", SOON)
    assert jobs.unclaimed() == []
    assert jobs.claim(job.pk) is None


def test_it_leaves_a_job_alone_that_this_process_works_on(job: Job) -> None:
    running(job, f"{processes.this_process()}:abcd", SOON)
    assert jobs.claim(job.pk) is None


def test_it_takes_up_a_job_whose_lease_ran_out(job: Job) -> None:
    running(job, "elsewhere/1:10:20:abcd", -timedelta(seconds=1))
    assert jobs.unclaimed() == [job]
    assert jobs.claim(job.pk)


def test_it_takes_up_a_job_at_once_whose_process_has_ended(job: Job, ended_process: str) -> None:
    running(job, f"{ended_process}:abcd", SOON)
    assert jobs.unclaimed() == [job]
    assert jobs.claim(job.pk)


@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED])
def test_it_never_takes_up_a_finished_job(job: Job, state: Job.State) -> None:
    Job.objects.update(state=state)
    assert jobs.unclaimed() == []
    assert jobs.claim(job.pk) is None


def test_others_see_how_far_it_is_while_it_works(job: Job) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        progress("alignment", 30, 70)
        wait_until(lambda: Job.objects.get(pk=job.pk).done == 30)

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.stage, job.done, job.total) == (Job.State.DONE, "alignment", 30, 70)


def test_its_lease_is_renewed_while_it_works(job: Job) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        Job.objects.update(lease_until=timezone.now())
        progress("alignment", 1, 2)
        renewed = Job.objects.filter(lease_until__gt=timezone.now() + LEASE / 2)
        wait_until(renewed.exists)

    jobs.run(job.pk, work)
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE


def test_it_stops_when_another_has_taken_the_job_over(job: Job) -> None:
    lost = []

    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        running(job, "elsewhere/1:10:20:abcd", SOON)
        steps = iter(range(10**9))

        def stopped() -> bool:
            try:
                progress("segments", next(steps), 10**9)
            except LeaseLost:
                lost.append(True)
                raise
            return False

        wait_until(stopped)

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert lost
    assert (job.state, job.owner) == (Job.State.RUNNING, "elsewhere/1:10:20:abcd")


def test_bad_input_fails_the_job_and_its_project_with_its_sentence(job: Job) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        raise InputError("trees.txt, line 3: 4 leaves, 5 tokens.")

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "trees.txt, line 3: 4 leaves, 5 tokens.")
    assert job.project.state == Project.State.FAILED


def test_an_unexpected_error_fails_the_job_with_one_line(job: Job) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        raise RuntimeError("no space\nin the second line")

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "RuntimeError: no space" in job.error
    assert "\n" not in job.error


def test_an_interrupted_job_goes_back_to_the_queue(job: Job, stopping: Callable[[], None]) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        stopping()
        progress("segments", 1, 2)

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.owner) == (Job.State.QUEUED, "")
    assert job.project.state == Project.State.PREPARING


def test_what_fails_because_the_process_ends_is_not_a_failure(
    job: Job, stopping: Callable[[], None]
) -> None:
    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        stopping()
        raise InputError("eflomal failed with status -9.")

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.QUEUED, "")


def test_all_jobs_of_this_process_can_be_released(job: Job) -> None:
    running(job, f"{processes.this_process()}:abcd", SOON)
    jobs.release_all()
    job.refresh_from_db()
    assert (job.state, job.owner) == (Job.State.QUEUED, "")


@pytest.mark.django_db
def test_a_job_can_be_claimed_as_it_is_made_and_done_on_the_spot() -> None:
    job, reached = make_job(), []
    jobs.claim_new(job)
    assert jobs.unclaimed() == []

    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        progress("segments", 1, 2)

    jobs.work(job.pk, on_progress=lambda *step: reached.append(step), do=work)
    job.refresh_from_db()
    assert reached == [("segments", 1, 2)]
    assert (job.state, job.stage, job.done, job.total) == (Job.State.DONE, "segments", 1, 2)


@pytest.mark.django_db
def test_what_fails_on_the_spot_is_raised() -> None:
    job = make_job()
    jobs.claim_new(job)

    def work(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        raise InputError("Nothing fits.")

    with pytest.raises(InputError, match="Nothing fits"):
        jobs.work(job.pk, do=work)


def test_a_reused_process_number_is_another_process() -> None:
    host, number, _started = processes.this_process().rsplit(":", 2)
    assert not processes.is_gone(processes.this_process())
    assert processes.is_gone(f"{host}:{number}:1")
    assert not processes.is_gone(f"elsewhere/1:{number}:1")


@pytest.mark.parametrize("problem", [ValueError("two at work"), KeyboardInterrupt(), None])
def test_what_another_took_over_is_left_to_the_other(
    job: Job, problem: BaseException | None
) -> None:
    jobs.claim_new(job)

    def stand_still(project_id: int, options: PrepareOptions, progress: Progress) -> None:
        running(job, "otherhost:1:1:aa", SOON)
        if problem:
            raise problem

    with pytest.raises(LeaseLost):
        jobs.work(job.pk, do=stand_still)
    job.refresh_from_db()
    assert (job.state, job.owner) == (Job.State.RUNNING, "otherhost:1:1:aa")
    assert Project.objects.get().state == Project.State.PREPARING

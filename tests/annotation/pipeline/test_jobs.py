"""Outcomes of jobs, notifications of workers, and jobs that a command does itself."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from celery import current_app
from django.db import OperationalError, transaction
from kombu.exceptions import OperationalError as BrokerError

from annotation.formats.errors import InputError
from annotation.models import Chunk, Job, Project
from annotation.pipeline import chunks, jobs
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.stages import Part, StageResult, plan
from annotation.pipeline.stages.plan import CANDIDATES, STAGE_FUNCTIONS
from annotation.pipeline.stages.segments import CHUNK_SIZES
from annotation.projects.deletion import delete_project
from tests.annotation.pipeline.small_jobs import SENTENCES, before_tokens, make_job
from tests.jobs import run_job

pytestmark = pytest.mark.databases


def raise_it(problem: BaseException) -> Callable[[Part], None]:
    def work(part: Part) -> None:
        raise problem

    return work


# --- the end of a job -------------------------------------------------------------------------


def test_bad_input_fails_the_job_and_its_project(job: Job) -> None:
    problem = InputError("trees.txt, line 3: 4 leaves, 5 tokens.")
    assert run_job(job.pk, before_tokens(raise_it(problem))) is Outcome.FAILED
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, str(problem))
    assert job.project.state == Project.State.FAILED


def test_a_stage_that_cannot_start_fails_the_job(job: Job) -> None:
    job.options["aligner"] = "unheard of"
    job.save()
    assert run_job(job.pk) is Outcome.FAILED
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "There is no aligner 'unheard of'" in job.error


def test_an_unexpected_error_fails_the_job_with_one_line(job: Job) -> None:
    problem = RuntimeError("no space\nin the second line")
    run_job(job.pk, before_tokens(raise_it(problem)))
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "RuntimeError: no space" in job.error
    assert "\n" not in job.error


def test_an_unavailable_database_frees_the_chunk(job: Job) -> None:
    problem = OperationalError("database is locked")
    with pytest.raises(OperationalError):
        run_job(job.pk, before_tokens(raise_it(problem)))
    assert (Chunk.objects.get().state, Chunk.objects.get().attempts) == (Chunk.State.WAITING, 1)
    assert run_job(job.pk) is Outcome.DONE
    assert Job.objects.get().state == Job.State.DONE


def test_a_disk_that_stays_full_fails_the_job_after_some_leases(job: Job) -> None:
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode = sqlite3.SQLITE_FULL
    problem = OperationalError(str(cause))
    problem.__cause__ = cause
    for _try in range(chunks.MAX_ATTEMPTS):
        with pytest.raises(OperationalError):
            run_job(job.pk, before_tokens(raise_it(problem)))
        assert run_job(job.pk) is Outcome.NOTHING_TO_DO
        Chunk.objects.update(lease_until="2026-01-01T00:00Z")
    assert run_job(job.pk, before_tokens(raise_it(problem))) is Outcome.FAILED
    assert Job.objects.get().state == Job.State.FAILED


def test_a_chunk_that_ends_its_worker_five_times_fails_the_job(job: Job) -> None:
    for _try in range(5):
        assert chunks.claim(job.pk)
        # The worker is killed, and releases nothing.
        Chunk.objects.update(lease_until="2026-01-01T00:00Z")
    assert jobs.process_chunk(job.pk) is Outcome.FAILED
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "stopped 5 times at the same place (tokens, sentences 1 to 10" in job.error


@pytest.mark.parametrize("problem", [None, InputError("eflomal failed with status -9.")])
def test_a_process_that_stops_frees_its_chunk(
    job: Job, small_chunks: None, stop: Callable[[], None], problem: Exception | None
) -> None:
    def work(part: Part) -> None:
        if part.first == 4:
            stop()
            if problem:
                raise problem
        part.progress(1, 2)

    assert run_job(job.pk, before_tokens(work)) is Outcome.RETRY
    job.refresh_from_db()
    assert (job.state, job.project.state) == (Job.State.RUNNING, Project.State.PREPARING)
    states = list(Chunk.objects.order_by("first").values_list("state", "attempts"))
    assert states == [("done", 1), *[("waiting", 0)] * 3]
    assert chunks.pending_jobs().get() == job


def test_a_retry_resolves_auto_again(job: Job) -> None:
    Job.objects.update(options=job.options | {"parser": "auto"})

    def fail(part: Part) -> StageResult:
        raise InputError("No.")

    run_job(job.pk, {**STAGE_FUNCTIONS, CANDIDATES: fail})
    job = Job.objects.get()
    assert (job.options["parser"], plan.options_of(job).parser) == ("auto", "embedded")
    jobs.retry(job.project)
    assert chunks.claim(job.pk)
    assert plan.options_of(Job.objects.get()).parser == "auto"


def test_a_cancelled_job_stores_nothing_more(job: Job) -> None:
    def cancel(part: Part) -> None:
        assert jobs.cancel(job.project)

    assert run_job(job.pk, before_tokens(cancel)) is Outcome.LOST
    assert not Project.objects.exists()


# --- notifications ----------------------------------------------------------------------------


def test_workers_are_notified_when_a_stage_starts_and_after_each_chunk(
    job: Job, small_chunks: None, sent: list[int], settings
) -> None:
    settings.PREPARATION_WORKERS = 3
    jobs.process_chunk(job.pk)
    assert sent == [job.pk] * 3
    sent.clear()
    jobs.process_chunk(job.pk)
    assert sent == [job.pk]


def test_a_small_project_does_not_wait_for_a_large_one(
    transactional_db: None,
    sent: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings,
) -> None:
    settings.PREPARATION_WORKERS = 4
    monkeypatch.setattr(plan, "SENTENCES", 1)
    monkeypatch.setitem(CHUNK_SIZES, "phrases", 1)
    large = make_job(tmp_path, lines=30)
    Project.objects.update(name="Large")
    jobs.enqueue(large.pk)
    for _message in range(5):
        jobs.process_chunk(sent.pop(0))
    small = make_job(tmp_path, lines=1)
    jobs.enqueue(small.pk)
    turns = 0
    while Job.objects.get(pk=small.pk).state != Job.State.DONE:
        jobs.process_chunk(sent.pop(0))
        turns += 1
    # Before each of its four chunks there are at most the notifications of two large stages.
    assert turns <= 4 * 2 * (settings.PREPARATION_WORKERS + 1) + 4
    assert Job.objects.get(pk=large.pk).state == Job.State.RUNNING


def test_a_process_that_does_two_chunks_leaves_its_other_threads_free(
    transactional_db: None, sent: list[int], tmp_path: Path
) -> None:
    def new_job(name: str) -> Job:
        made = make_job(tmp_path, lines=1)
        Project.objects.filter(pk=made.project_id).update(name=name)
        return made

    first, second, third = (new_job(name) for name in ("First", "Second", "Third"))
    outcomes: list[Outcome] = []

    def begin_third(part: Part) -> None:
        outcomes.append(jobs.process_chunk(third.pk))

    def begin_second(part: Part) -> None:
        outcomes.append(jobs.process_chunk(second.pk, before_tokens(begin_third)))
        assert sent == [third.pk, second.pk]

    outcomes.append(jobs.process_chunk(first.pk, before_tokens(begin_second)))

    assert outcomes == [Outcome.NOTHING_TO_DO, Outcome.DONE, Outcome.DONE]
    assert sent == [third.pk, second.pk, first.pk]


def test_beat_notifies_of_what_no_worker_does(job: Job, sent: list[int]) -> None:
    jobs.enqueue_pending()
    assert sent == [job.pk]
    assert chunks.claim(job.pk)
    jobs.enqueue_pending()
    assert sent == [job.pk]
    Chunk.objects.update(lease_until="2026-01-01T00:00Z")
    jobs.enqueue_pending()
    assert sent == [job.pk] * 2


def test_a_job_is_queued_without_a_broker(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise BrokerError("It does not answer.")

    monkeypatch.setattr(current_app, "send_task", refuse)
    jobs.enqueue(job.pk)
    assert chunks.pending_jobs().get() == job


# --- jobs of a command ------------------------------------------------------------------------


def foreground_job(folder: Path) -> Job:
    with transaction.atomic():
        job = make_job(folder)
        jobs.start_in_foreground(job)
    return job


@pytest.mark.django_db
def test_a_command_goes_through_all_stages(
    tmp_path: Path, small_chunks: None, sent: list[int]
) -> None:
    job = foreground_job(tmp_path)
    reached: list[tuple[str, int, int]] = []
    jobs.run_in_foreground(job, lambda *step: reached.append(step))
    job.refresh_from_db()
    assert list(dict.fromkeys(stage for stage, _done, _total in reached)) == [
        stage for stage, _began in job.stages
    ]
    assert reached[-1] == (CANDIDATES, SENTENCES, SENTENCES)
    assert (job.state, job.project.state) == (Job.State.DONE, Project.State.OPEN)
    assert not Chunk.objects.exists()
    assert not sent


@pytest.mark.django_db
def test_a_command_stops_when_its_project_is_deleted(tmp_path: Path) -> None:
    job = foreground_job(tmp_path)

    def cancel(stage: str, done: int, total: int) -> None:
        delete_project(job.project)

    with pytest.raises(InputError, match="cancelled"):
        jobs.run_in_foreground(job, cancel)

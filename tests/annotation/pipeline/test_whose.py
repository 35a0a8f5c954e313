"""Whose a chunk is, whatever happened to who had it."""

from datetime import timedelta

import pytest

from annotation.formats.errors import InputError
from annotation.models import (
    Job,
)
from annotation.pipeline import chunks, jobs, processes
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.plan import CANDIDATES, TOKENS, WORK
from tests.annotation.pipeline.setting import ELSEWHERE, SOON, taken


def test_it_leaves_a_chunk_alone_that_another_host_works_on(job: Job) -> None:
    taken(job, ELSEWHERE, SOON)
    assert jobs.unclaimed() == []
    assert chunks.claim(job.pk) is None
    assert chunks.holder_of(job) == ELSEWHERE


def test_it_leaves_a_chunk_alone_that_this_process_works_on(job: Job) -> None:
    taken(job, f"{processes.this_process()}:abcd", SOON)
    assert chunks.claim(job.pk) is None


def test_it_takes_up_a_chunk_whose_lease_ran_out(job: Job) -> None:
    taken(job, ELSEWHERE, -timedelta(seconds=1))
    assert jobs.unclaimed() == [job]
    assert chunks.holder_of(job) == ""
    assert chunks.claim(job.pk)


def test_it_takes_up_a_chunk_whose_lease_is_of_a_clock_that_was_set_back(job: Job) -> None:
    taken(job, ELSEWHERE, timedelta(hours=5))
    assert jobs.unclaimed() == [job]
    assert chunks.holder_of(job) == ""
    assert chunks.claim(job.pk)


def test_it_takes_up_a_chunk_at_once_whose_process_has_ended(job: Job, ended_process: str) -> None:
    taken(job, f"{ended_process}:abcd", SOON)
    assert jobs.unclaimed() == [job]
    assert chunks.claim(job.pk)


def test_it_begins_the_next_stage_where_nobody_did(job: Job) -> None:
    lease = chunks.claim(job.pk)
    assert lease
    # Killed between its last chunk and what follows.
    assert chunks.complete(lease, {})
    assert jobs.unclaimed() == [job]
    following = chunks.claim(job.pk)
    assert following
    assert following.stage == "segments"


def test_who_stood_still_does_not_begin_a_stage_of_another_try(job: Job, small: None) -> None:
    for _chunk in range(4):
        assert jobs.step(job.pk)
    stale = Job.objects.select_related("project").get()

    def fail(part: Part) -> Made:
        raise InputError("No.")

    # Others begin the next stage, it fails, and is tried again from the beginning.
    jobs.step(job.pk, {**WORK, "segments": fail})
    assert jobs.retry(job.project)
    assert chunks.claim(job.pk)
    chunks._go_on(stale)
    assert Job.objects.get().stage == TOKENS


def test_another_try_chooses_anew_what_auto_means(job: Job) -> None:
    Job.objects.update(options=job.options | {"parser": "auto"})

    def fail(part: Part) -> Made:
        raise InputError("No.")

    jobs.run(job.pk, {**WORK, CANDIDATES: fail})
    job = Job.objects.get()
    assert (job.options["parser"], plan.options_of(job).parser) == ("auto", "embedded")
    jobs.retry(job.project)
    assert chunks.claim(job.pk)
    assert plan.options_of(Job.objects.get()).parser == "auto"


@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED])
def test_it_never_takes_up_a_finished_job(job: Job, state: Job.State) -> None:
    Job.objects.update(state=state)
    assert jobs.unclaimed() == []
    assert chunks.claim(job.pk) is None

"""A worker that gives no sign of life is taken for gone, and no other is."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Chunk, Job
from annotation.pipeline import chunks, leases, processes
from annotation.pipeline.heartbeats import SILENT, Watch
from annotation.pipeline.leases import LEASE
from tests.annotation.pipeline.signs import (
    SECOND,
    THERE,
    Change,
    Clock,
    clock,
    is_free,
    kept,
    look_on,
    take_anew,
    watch,
)
from tests.installation import wait_until

# Fixtures, which are used by their names.
__all__ = ["clock", "watch"]


# --- giving them ------------------------------------------------------------------------------


def test_a_sign_is_given_at_each_look_and_the_lease_is_no_longer_for_that(
    job: Job, watch: Watch
) -> None:
    main = processes.this_process()
    chunk = kept(job, f"{main}:abcd", by=main)
    for signs in (1, 2, 3):
        watch.look()
        after = Chunk.objects.get()
        assert (after.signs, after.lease_until) == (signs, chunk.lease_until)


def test_no_sign_is_given_for_a_process_that_has_ended(
    job: Job, watch: Watch, ended_process: str
) -> None:
    kept(job, f"{ended_process}:abcd", by=processes.this_process())
    watch.look()
    assert Chunk.objects.get().signs == 0


@pytest.mark.parametrize("by", ["", THERE, "elsewhere/1:9:20"])
def test_no_sign_is_given_for_what_others_keep(job: Job, watch: Watch, by: str) -> None:
    kept(job, f"{processes.this_process()}:abcd", by=by)
    watch.look()
    assert Chunk.objects.get().signs == 0


def test_nothing_is_given_or_taken_of_a_job_that_has_ended(
    job: Job, clock: Clock, watch: Watch
) -> None:
    main = processes.this_process()
    kept(job, f"{main}:abcd", by=main)
    Job.objects.update(state=Job.State.FAILED)
    look_on(watch, clock, 2 * SILENT)
    assert Chunk.objects.get().signs == 0
    Chunk.objects.update(kept_by=f"{THERE}:abcd")
    look_on(watch, clock, 2 * SILENT)
    assert not is_free()


@pytest.mark.parametrize("by", ["", THERE])
def test_a_look_that_finds_nothing_to_do_is_one_question(job: Job, watch: Watch, by: str) -> None:
    kept(job, by=by)
    with CaptureQueriesContext(connection) as asked:
        watch.look()
    assert [query["sql"].split()[0] for query in asked] == ["SELECT"]


# --- missing them -----------------------------------------------------------------------------


def test_a_chunk_without_signs_is_anyones_after_five_seconds(
    job: Job, clock: Clock, watch: Watch, sent: list[int]
) -> None:
    chunk = kept(job)
    watch.look()
    look_on(watch, clock, SILENT - SECOND)
    clock.now += 0.9 * SECOND
    watch.look()
    assert (is_free(), sent) == (False, [])
    clock.now += 0.1 * SECOND
    watch.look()
    wait_until(lambda: sent == [job.pk])
    freed = Chunk.objects.get()
    assert (freed.state, freed.owner, freed.kept_by, freed.lease_until) == ("waiting", "", "", None)
    # That it was begun counts.
    assert freed.tries == chunk.tries == 1
    assert chunks.claim(job.pk)
    assert Chunk.objects.get().tries == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda: Chunk.objects.update(signs=F("signs") + 1),
        lambda: Chunk.objects.update(lease_until=timezone.now() + LEASE),
        lambda: take_anew(timezone.now().isoformat().replace(":", "")),
    ],
    ids=["a sign", "renewed by the process at work", "taken anew"],
)
def test_a_chunk_of_which_there_is_a_sign_is_left_alone(
    job: Job, clock: Clock, watch: Watch, change: Change, sent: list[int]
) -> None:
    kept(job)
    look_on(watch, clock, 4 * SILENT, change)
    assert (is_free(), sent) == (False, [])
    look_on(watch, clock, SILENT + SECOND)
    assert is_free()


def test_a_chunk_that_nobody_gives_signs_for_is_left_to_its_lease(
    job: Job, clock: Clock, watch: Watch
) -> None:
    kept(job, by="")
    look_on(watch, clock, 4 * SILENT)
    assert not is_free()


def test_two_that_look_leave_one_another_alone_until_one_is_gone(
    job: Job, clock: Clock, watch: Watch
) -> None:
    main = processes.this_process()
    kept(job, f"{main}:abcd", by=main)
    elsewhere = Watch(THERE, clock)
    look_on(elsewhere, clock, 4 * SILENT, watch.look)
    assert not is_free()
    look_on(elsewhere, clock, SILENT + SECOND)
    assert is_free()


def test_who_was_taken_for_gone_finds_that_his_chunk_is_anothers(
    job: Job, clock: Clock, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "kept_by", THERE)
    lease = chunks.claim(job.pk)
    assert lease
    look_on(watch, clock, SILENT + SECOND)
    assert not lease.held().exists()
    assert not chunks.complete(lease, {})

"""Who looks for signs of life trusts nothing that he may have missed, and knows whose they are."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from annotation.models import Chunk, Job
from annotation.pipeline import chunks, jobs, leases, processes
from annotation.pipeline.heartbeats import REPRIEVE, SILENT, Watch, Watcher
from annotation.pipeline.leases import LEASE
from tests.annotation.pipeline.signs import (
    SECOND,
    THERE,
    Clock,
    away,
    clock,
    is_free,
    kept,
    look_on,
    watch,
    written_by_another,
)
from tests.installation import wait_until

# Fixtures, which are used by their names.
__all__ = ["clock", "watch"]


def test_who_looks_late_has_seen_nothing(job: Job, clock: Clock, watch: Watch) -> None:
    kept(job)
    watch.look()
    clock.now += timedelta(hours=1)
    watch.look()
    # The others have time to come back as well.
    look_on(watch, clock, REPRIEVE + SILENT - SECOND)
    assert not is_free()
    look_on(watch, clock, SECOND)
    assert is_free()


def test_after_the_database_was_away_all_signs_are_awaited_anew(
    job: Job, clock: Clock, watch: Watch
) -> None:
    kept(job)
    look_on(watch, clock, SILENT - SECOND)
    with away(), pytest.raises(OperationalError):
        look_on(watch, clock, SECOND)
    look_on(watch, clock, REPRIEVE + SILENT - SECOND)
    assert not is_free()
    look_on(watch, clock, SECOND)
    assert is_free()


def test_a_database_that_answers_late_makes_nobody_seem_silent(
    job: Job, clock: Clock, watch: Watch
) -> None:
    """What it answers may be as it was when it was asked, or two seconds later."""
    kept(job)

    def slow(execute: Callable[..., object], *statement: object) -> object:
        clock.now += 2 * SECOND
        return execute(*statement)

    with connection.execute_wrapper(slow):
        watch.look()
    look_on(watch, clock, SILENT - SECOND)
    assert not is_free()
    look_on(watch, clock, SECOND)
    assert is_free()


def test_a_chunk_that_somebody_writes_just_now_is_left_alone(
    job: Job, clock: Clock, watch: Watch, sent: list[int]
) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("There is one writer at a time.")
    kept(job)
    with written_by_another():
        look_on(watch, clock, 4 * SILENT)
    assert (is_free(), sent) == (False, [])
    look_on(watch, clock, SILENT + SECOND)
    assert is_free()


def test_nobody_who_gives_signs_waits_for_who_writes(job: Job, watch: Watch) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("There is one writer at a time.")
    main = processes.this_process()
    kept(job, f"{main}:abcd", by=main)
    with written_by_another():
        watch.look()
        assert Chunk.objects.get().signs == 0
    watch.look()
    assert Chunk.objects.get().signs == 1


# --- whose signs ------------------------------------------------------------------------------


def test_a_chunk_knows_who_gives_signs_for_it_while_it_is_worked_on(
    job: Job, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "kept_by", THERE)
    lease, another, third = (chunks.claim(job.pk) for _chunk in range(3))
    assert lease
    assert another
    assert third
    kept_there = Chunk.objects.filter(kept_by__startswith=f"{THERE}:")
    assert list(kept_there.values_list("state", flat=True)) == ["running"] * 3
    assert chunks.complete(lease, {})
    jobs._release(another)
    assert kept_there.get().pk == third.chunk_id
    jobs.release_all()
    assert not kept_there.exists()


def test_what_a_worker_of_the_version_before_took_is_left_to_its_lease(
    job: Job, clock: Clock, watch: Watch
) -> None:
    kept(job)
    # It leaves there whoever gave signs for the one that had the chunk before.
    Chunk.objects.update(owner="elsewhere/1:8:18:old")
    look_on(watch, clock, 4 * SILENT)
    assert not is_free()


def test_a_broker_that_does_not_answer_stops_no_signs(
    job: Job, clock: Clock, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, ends = threading.Event(), threading.Event()

    def wait(_job_id: int) -> None:
        told.set()
        ends.wait(30)

    monkeypatch.setattr(jobs, "send_now", wait)
    kept(job)
    look_on(watch, clock, SILENT + SECOND)
    assert told.wait(10)
    main = processes.this_process()
    Chunk.objects.update(
        state="running",
        owner=f"{main}:abcd",
        kept_by=f"{main}:abcd",
        lease_until=timezone.now() + LEASE,
    )
    watch.look()
    assert Chunk.objects.get().signs == 1
    ends.set()


def test_another_who_takes_it_gives_signs_himself_or_nobody_does(
    job: Job, ended_process: str
) -> None:
    kept(job, f"{ended_process}:abcd")
    assert chunks.claim(job.pk)
    assert Chunk.objects.get().kept_by == ""


def test_the_thread_looks_and_ends(job: Job) -> None:
    main = processes.this_process()
    kept(job, f"{main}:abcd", by=main)
    watcher = Watcher(timedelta(seconds=0.01))
    watcher.start()
    # On SQLite all are on one machine, and it does not even begin.
    if connection.features.has_select_for_update_skip_locked:
        wait_until(Chunk.objects.filter(signs__gt=2).exists)
    watcher.stop()
    watcher.join(10)
    assert "signs of life" not in [thread.name for thread in threading.enumerate()]

"""A worker that gives no sign of life is taken for gone, and no other is."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation import chunks, jobs, leases, processes
from annotation.leases import LEASE
from annotation.models import Chunk, Job
from annotation.signs_of_life import REPRIEVE, SILENT, Watch, Watcher
from tests.annotation.jobs.setting import ELSEWHERE, SOON, taken
from tests.installation import wait_until

# The main process of the worker elsewhere.
THERE = "elsewhere/1:9:19"
SECOND = timedelta(seconds=1)
Change = Callable[[], object]


class Clock:
    """A steady clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = timedelta(hours=1)

    def __call__(self) -> timedelta:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(clock: Clock) -> Watch:
    return Watch(processes.this_process(), clock)


def kept(job: Job, owner: str = ELSEWHERE, by: str = THERE) -> Chunk:
    """Return the job's only chunk, which a process has that another gives signs for."""
    chunk = taken(job, owner, SOON)
    chunk.kept_by = by and f"{by}:{owner.rpartition(':')[2]}"
    chunk.save()
    return chunk


def take_anew(run: str) -> None:
    Chunk.objects.update(owner=f"elsewhere/1:7:17:{run}", kept_by=f"{THERE}:{run}")


def look_on(watch: Watch, clock: Clock, time: timedelta, meanwhile: Change = tuple) -> None:
    """Look every second, so long, and do the same before each look."""
    for _second in range(time // SECOND):
        clock.now += SECOND
        meanwhile()
        watch.look()


def is_free() -> bool:
    return Chunk.objects.get().state == Chunk.State.WAITING


@contextmanager
def away() -> Iterator[None]:
    def refuse(*_statement: object) -> None:
        raise OperationalError("The server has gone.")

    with connection.execute_wrapper(refuse):
        yield


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


# --- when it is not to be relied on what was seen ---------------------------------------------


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


@contextmanager
def written_by_another() -> Iterator[None]:
    """Have a thread with a connection of its own write the chunk, and end without having done."""
    writes, ends = threading.Event(), threading.Event()

    def write() -> None:
        with closing(connection), transaction.atomic():
            Chunk.objects.update(done=1)
            writes.set()
            ends.wait(10)
            transaction.set_rollback(True)

    thread = threading.Thread(target=write)
    thread.start()
    assert writes.wait(10)
    try:
        yield
    finally:
        ends.set()
        thread.join()


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

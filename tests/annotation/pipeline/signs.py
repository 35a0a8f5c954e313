"""Chunks that somebody gives signs of life for, and what looks at them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction

from annotation.models import Chunk, Job
from annotation.pipeline import processes
from annotation.pipeline.heartbeats import Watch
from tests.annotation.pipeline.setting import ELSEWHERE, SOON, taken

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

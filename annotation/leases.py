"""The right to do a job, kept for as long as the work goes on."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from time import monotonic
from types import TracebackType
from typing import Self

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from annotation import processes
from annotation.models import Job
from annotation.preparing import Progress

log = getLogger(__name__)

LEASE = timedelta(seconds=30)
# Seconds.
RENEW_EVERY = 10.0
REPORT_EVERY = 0.4


class Interrupted(Exception):
    """This process is to end: the job is to go back to the queue."""


class LeaseLost(Exception):
    """Somebody else does the job now."""


@dataclass(frozen=True)
class Lease:
    """The right to do a job; `owner` names one run in one process."""

    job_id: int
    owner: str

    @classmethod
    def new(cls, job_id: int) -> Self:
        return cls(job_id, f"{processes.this_process()}:{secrets.token_hex(4)}")


class Keeper:
    """While the work goes on, renews its lease and writes down how far it is.

    Where the lease is lost, because the job was cancelled or is somebody else's, the programs that
    the work has started are ended, and the work at its next step.
    Both happen in a thread with a connection of its own, so that others see them whatever
    transaction the work is in. There is no such thread where the caller is in a transaction:
    then nobody else can see the job.
    """

    def __init__(
        self, lease: Lease, stopping: threading.Event, on_progress: Progress | None = None
    ) -> None:
        self._lease = lease
        self._stopping = stopping
        self._on_progress = on_progress
        self._reached: tuple[str, int, int] = ("", 0, 0)
        self._began = self._ended = monotonic()
        self._stages: list[tuple[str, float]] = []
        self._worker = threading.get_native_id()
        self._lost = threading.Event()
        self._finished = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if not connection.in_atomic_block:
            self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._finished.set()
        if self._thread:
            self._thread.join()
        elif kind is None:
            self._write()

    def progress(self, stage: str, done: int, total: int) -> None:
        """Note how far the work is. Raises Interrupted or LeaseLost where it is to stop."""
        self._note_stage(stage, done, total)
        self._reached = stage, done, total
        if self._on_progress:
            self._on_progress(stage, done, total)
        if self._lost.is_set():
            raise LeaseLost
        if self._stopping.is_set():
            raise Interrupted

    def _note_stage(self, stage: str, done: int, total: int) -> None:
        """Note when the stage began: where the one before it ended, if it is a new one."""
        if not self._stages or self._stages[-1][0] != stage:
            self._stages.append((stage, round(self._ended - self._began, 1)))
        if done >= total:
            self._ended = monotonic()

    def _keep(self) -> None:
        written, renewed = self._reached, monotonic()
        try:
            while not self._finished.wait(REPORT_EVERY):
                if self._reached != written or monotonic() - renewed >= RENEW_EVERY:
                    written, renewed = self._reached, monotonic()
                    self._try(self._write)
                else:
                    self._try(self._look)
            self._try(self._write)
        finally:
            connection.close()

    def _try(self, ask: Callable[[], None]) -> None:
        try:
            ask()
        except DatabaseError as problem:
            # The next turn tries again; the lease outlives a database that is away for a moment.
            log.warning("Job %s could not renew its lease: %s", self._lease.job_id, problem)
            connection.close()

    def _write(self) -> None:
        stage, done, total = self._reached
        held = self._job().update(
            stage=stage,
            done=done,
            total=total,
            stages=list(self._stages),
            lease_until=timezone.now() + LEASE,
        )
        if not held:
            self._lose()

    def _look(self) -> None:
        if not self._job().exists():
            self._lose()

    def _job(self) -> QuerySet[Job]:
        return Job.objects.filter(
            pk=self._lease.job_id, owner=self._lease.owner, state=Job.State.RUNNING
        )

    def _lose(self) -> None:
        self._lost.set()
        if not self._finished.is_set():
            # The work may wait for a program for minutes.
            processes.end_children_of_thread(self._worker)

"""The right to do a chunk of a job, kept for as long as the work goes on."""

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from time import monotonic
from types import TracebackType
from typing import Any, Self

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Exists, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.common.transactions import writing
from annotation.models import Chunk, Job
from annotation.pipeline import processes

log = getLogger(__name__)

Progress = Callable[[str, int, int], None]
LEASE = timedelta(seconds=30)
# Seconds.
RENEW_EVERY = 10.0
REPORT_EVERY = 0.4

# What is stored of a chunk that nobody has.
NOBODYS: dict[str, Any] = {"owner": "", "kept_by": "", "lease_until": None}

# The process that gives signs of life for the chunks of this one, "" for none: in a child of
# `celery worker` its main process, which `segranks.celery` says.
kept_by = ""


def run_out() -> Q:
    """Return what tells leases that are over.

    None is given for so long as some are ahead once the clock is set back: those are over too.
    """
    now = timezone.now()
    return Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)


class Interrupted(Exception):
    """This process is to end: others are to do the chunk."""


class LeaseLost(Exception):
    """Somebody else does it now, or nobody is to."""


@dataclass(frozen=True)
class Lease:
    """The right to do a chunk of a job; `owner` names one run in one process."""

    chunk_id: int
    job_id: int
    stage: str
    owner: str
    # Whether the stage begins with it.
    is_first: bool = False
    # The process that gives signs of life for it, and the run that they are for; "" for none.
    kept_by: str = ""

    @classmethod
    def new(cls, chunk: Chunk) -> Self:
        run = secrets.token_hex(4)
        owner = f"{processes.this_process()}:{run}"
        keeper = f"{kept_by}:{run}" if kept_by else ""
        return cls(chunk.pk, chunk.job_id, chunk.stage, owner, chunk.first == 1, keeper)

    def held(self) -> QuerySet[Chunk]:
        """Return the chunk while it is ours and its job goes on, else nothing."""
        # No join: an UPDATE of it is then decided by the row as it is when it is locked.
        goes_on = Job.objects.filter(pk=self.job_id, state=Job.State.RUNNING)
        return Chunk.objects.filter(
            Exists(goes_on), pk=self.chunk_id, owner=self.owner, state=Chunk.State.RUNNING
        )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction in which the chunk stays ours. Raises LeaseLost if it is not."""
        with writing():
            if not self.held().update(lease_until=timezone.now() + LEASE):
                raise LeaseLost
            yield


def note_progress(job_id: int, stage: str) -> None:
    """Add up what is done of the stage, in sentences."""
    of_stage = Chunk.objects.filter(job=job_id, stage=stage).order_by().values("job")
    done = Subquery(of_stage.annotate(sum=Sum("done")).values("sum"))
    Job.objects.filter(pk=job_id, stage=stage).update(done=Coalesce(done, 0))


class Keeper:
    """While the work goes on, renews its lease and writes down how far it is.

    Where the lease is lost, because the job was cancelled or the chunk is somebody else's, the
    programs that the work has started are ended, and the work at its next step.
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
        self._chunk = Chunk.objects.get(pk=lease.chunk_id)
        job = Job.objects.get(pk=lease.job_id)
        # What others have done of the stage, for whoever watches this process alone.
        self._before, self._total = job.done, job.total
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

    def part_progress(self, done: int, total: int) -> None:
        """Note how much of the chunk is done.

        Raises Interrupted or LeaseLost where it is to stop.
        """
        of_chunk = self._chunk.size * done // total if total else 0
        self._reached = self._lease.stage, of_chunk, self._chunk.size
        self._tell(self._lease.stage, self._before + of_chunk, self._total)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Note how far a job is that is done in one go, whatever its stages are called.

        Raises Interrupted or LeaseLost where it is to stop.
        """
        self._note_stage(stage, done, total)
        self._reached = stage, done, total
        self._tell(stage, done, total)

    def _tell(self, stage: str, done: int, total: int) -> None:
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
            log.warning(
                "A chunk of job %s could not renew its lease: %s", self._lease.job_id, problem
            )
            connection.close()

    def _write(self) -> None:
        stage, done, total = self._reached
        is_whole = self._lease.stage == Chunk.WHOLE
        until = timezone.now() + LEASE
        of_chunk = {} if is_whole else {"done": done}
        if not self._lease.held().update(lease_until=until, **of_chunk):
            self._lose()
            return
        job = Job.objects.filter(pk=self._lease.job_id, state=Job.State.RUNNING)
        if is_whole:
            job.update(stage=stage, stages=self._stages, done=done, total=total)
        else:
            note_progress(self._lease.job_id, self._lease.stage)
        job.exclude(owner="").update(lease_until=until)

    def _look(self) -> None:
        if not self._lease.held().exists():
            self._lose()

    def _lose(self) -> None:
        self._lost.set()
        if not self._finished.is_set():
            # The work may wait for a program for minutes.
            processes.end_children_of_thread(self._worker)

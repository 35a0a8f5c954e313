"""Chunks of jobs: claiming one under a lease, renewing the lease, and starting the next stage.

A claim is a conditional UPDATE whose row count decides who has the chunk. The worker that finds a
stage complete starts the next one, by a conditional UPDATE too.
"""

import os
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from types import TracebackType
from typing import Any, Self

from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Chunk, Job
from annotation.pipeline import child_processes
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.plan import RESOLVED, StageStart

log = getLogger(__name__)

LEASE = timedelta(seconds=30)
# Seconds between two renewals, which also report progress and notice a lost lease.
RENEW_EVERY = 1.0
# A claim looks at so many free chunks, since other workers may take some of them meanwhile.
CHUNKS_TO_TRY = 50
MAX_TRIES = 5

RELEASED: dict[str, Any] = {"owner": "", "lease_until": None}


class LeaseLost(Exception):
    """Another worker does the chunk now, or the job was cancelled."""


class Interrupted(Exception):
    """This process is stopping: another worker is to do the chunk."""


def owner_prefix() -> str:
    """Return what the owner of every lease of this process begins with."""
    return f"{socket.gethostname()}:{os.getpid()}:"


@dataclass(frozen=True)
class Lease:
    """The right to do a chunk; `owner` is unique to one claim."""

    chunk: Chunk
    owner: str

    def held(self) -> QuerySet[Chunk]:
        """Return the chunk while this lease is valid and the job is running, else no row."""
        # A subquery, not a join: an UPDATE then decides by the chunk's row as it is once locked.
        running = Job.objects.filter(pk=self.chunk.job_id, state=Job.State.RUNNING)
        return Chunk.objects.filter(
            Exists(running), pk=self.chunk.pk, owner=self.owner, state=Chunk.State.RUNNING
        )

    def renew(self, **fields: Any) -> None:
        """Renew the lease and update the fields of the chunk. Raise LeaseLost."""
        if not self.held().update(lease_until=timezone.now() + LEASE, **fields):
            raise LeaseLost

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction during which no other worker can claim the chunk. Raise LeaseLost."""
        with writing():
            self.renew()
            yield

    def release(self, *, count_try: bool = False) -> None:
        """Give the chunk back; the try does not count unless `count_try`."""
        tries = F("tries") if count_try else F("tries") - 1
        self.held().update(state=Chunk.State.WAITING, tries=tries, **RELEASED)

    def complete(self, result: dict[str, Any]) -> None:
        """Mark the chunk as done. Raise LeaseLost."""
        done = self.held().update(
            state=Chunk.State.DONE, done=self.chunk.size, result=result, **RELEASED
        )
        if not done:
            raise LeaseLost
        if self.chunk.stage != Chunk.WHOLE:
            _sum_progress(self.chunk)


def pending_jobs() -> QuerySet[Job]:
    """Return the jobs that need a worker.

    They are queued, or have a chunk whose lease has expired, or are running without any worker.
    """
    chunks = Chunk.objects.filter(job=OuterRef("pk"))
    running = chunks.filter(state=Chunk.State.RUNNING)
    expired = running.filter(lease_until__lt=timezone.now())
    abandoned = Exists(chunks) & (Exists(expired) | ~Exists(running))
    return Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(abandoned, state=Job.State.RUNNING)
    ).order_by("pk")


def claimable_count(job: Job) -> int:
    """Return how many workers could start something for the job now: chunks, or the next stage."""
    if job.state == Job.State.QUEUED:
        return 1
    if job.state != Job.State.RUNNING or not job.chunks.exists():
        return 0
    return _claimable(job).count() if _unfinished(job).exists() else 1


def has_live_lease(job: Job | None = None) -> bool:
    """Return whether a worker does a chunk of the job, or of any job."""
    live = Chunk.objects.filter(state=Chunk.State.RUNNING, lease_until__gte=timezone.now())
    return (live.filter(job=job) if job else live).exists()


def release_leases_of_this_process() -> None:
    Chunk.objects.filter(state=Chunk.State.RUNNING, owner__startswith=owner_prefix()).update(
        state=Chunk.State.WAITING, **RELEASED
    )


def claim(job_id: int) -> Lease | None:
    """Return the lease of a chunk of the job, or None where no chunk is free.

    Starts the job, or its next stage, where that is due. Raises InputError where the next stage
    cannot start.
    """
    while job := Job.objects.filter(pk=job_id).select_related("project").first():
        if job.state == Job.State.QUEUED:
            _start(job)
            continue
        if job.state != Job.State.RUNNING or not job.chunks.exists():
            return None
        if not _unfinished(job).exists():
            _start_next_stage(job)
            continue
        free = list(_claimable(job).order_by("first")[:CHUNKS_TO_TRY])
        if not free:
            return None
        for chunk in free:
            if lease := _take(chunk, _claimable(job)):
                return lease
    return None


def _unfinished(job: Job) -> QuerySet[Chunk]:
    # Adding a system has one chunk, and job.stage then only serves people.
    stage = job.stage if job.task == Job.Task.PREPARE else Chunk.WHOLE
    return job.chunks.filter(stage=stage).exclude(state=Chunk.State.DONE)


def _claimable(job: Job) -> QuerySet[Chunk]:
    expired = Q(state=Chunk.State.RUNNING, lease_until__lt=timezone.now())
    return _unfinished(job).filter(Q(state=Chunk.State.WAITING) | expired)


def _take(chunk: Chunk, claimable: QuerySet[Chunk]) -> Lease | None:
    """Return the lease of the chunk, or None where another worker took it first."""
    if chunk.tries >= MAX_TRIES:
        raise InputError(
            _(
                "The work stopped %(tries)d times at the same place (%(place)s): is there enough "
                "memory, and room on the disk? The server's log may tell more."
            ),
            tries=chunk.tries,
            place=str(chunk),
        )
    lease = Lease(chunk, owner_prefix() + secrets.token_hex(4))
    taken = claimable.filter(pk=chunk.pk).update(
        state=Chunk.State.RUNNING,
        owner=lease.owner,
        lease_until=timezone.now() + LEASE,
        tries=F("tries") + 1,
        done=0,
    )
    return lease if taken else None


def _start(job: Job) -> None:
    """Start the first stage of a queued job, unless another worker does."""
    with transaction.atomic():
        if not Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(
            state=Job.State.RUNNING, started=timezone.now()
        ):
            return
        job.chunks.all().delete()
        job.stages = []
        job.options.pop(RESOLVED, None)
        if job.task == Job.Task.PREPARE:
            _begin_stage(job, plan.first_stage(job), began=0.0)
        else:
            Chunk.objects.create(job=job, stage=Chunk.WHOLE, first=1, last=1)


def _start_next_stage(job: Job) -> None:
    """Start what follows the complete stage, or finish the job, unless another worker does."""
    with transaction.atomic():
        # `started` differs after a retry. The UPDATE locks the row, so that a second worker waits
        # here and then finds another stage.
        if not Job.objects.filter(
            pk=job.pk, state=Job.State.RUNNING, stage=job.stage, started=job.started
        ).update(error=""):
            return
        if job.task == Job.Task.PREPARE:
            if following := plan.next_stage(job):
                _begin_stage(job, following, began=seconds_since_start(job))
                return
            plan.finish(job, list(job.chunks.order_by("pk").values_list("result", flat=True)))
        finish(job)


def _begin_stage(job: Job, start: StageStart, *, began: float) -> None:
    enter_stage(job, start, began=began)
    Chunk.objects.bulk_create(start.chunks)


def finish(job: Job) -> None:
    """Mark the job as done."""
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, finished=timezone.now())
    job.chunks.all().delete()


def enter_stage(job: Job, start: StageStart, *, began: float) -> None:
    """Store that the job has begun the stage, `began` seconds after its start."""
    job.stage, job.stages, job.done = start.stage, [*job.stages, [start.stage, began]], 0
    job.total = sum(chunk.size for chunk in start.chunks)
    job.save(update_fields=["stage", "stages", "done", "total", "options"])


def seconds_since_start(job: Job) -> float:
    began = job.started or timezone.now()
    return round((timezone.now() - began) / timedelta(seconds=1), 1)


def _sum_progress(chunk: Chunk) -> None:
    """Store with the job how many sentences of the chunk's stage are done."""
    of_stage = Chunk.objects.filter(job=chunk.job_id, stage=chunk.stage).order_by().values("job")
    done = Subquery(of_stage.annotate(sum=Sum("done")).values("sum"))
    Job.objects.filter(pk=chunk.job_id, stage=chunk.stage).update(done=Coalesce(done, 0))


class LeaseRenewer:
    """Renews a lease from a thread, with the progress of the work, until the work is done.

    Where the lease is lost, it kills the programs that the work has started, and the next report of
    progress raises LeaseLost. The thread is needed because an aligner may run for minutes.
    """

    def __init__(self, lease: Lease, stopping: threading.Event) -> None:
        self._lease = lease
        self._stopping = stopping
        self._reached: tuple[str, int, int] = ("", 0, 0)
        self._working_thread = threading.get_native_id()
        self._lost = threading.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease", daemon=True)
        # Inside a transaction, as in tests, another connection would not see the chunk.
        self._has_thread = not connection.in_atomic_block

    def __enter__(self) -> Self:
        if self._has_thread:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._finished.set()
        if self._has_thread:
            self._thread.join()

    def chunk_progress(self, done: int, total: int) -> None:
        """Report how much of the chunk is done. Raise Interrupted or LeaseLost."""
        size = self._lease.chunk.size
        self.job_progress(self._lease.chunk.stage, size * done // total if total else 0, size)

    def job_progress(self, stage: str, done: int, total: int) -> None:
        """Report how far a job with one chunk is. Raise Interrupted or LeaseLost."""
        self._reached = stage, done, total
        if self._lost.is_set():
            raise LeaseLost
        if self._stopping.is_set():
            raise Interrupted

    def _run(self) -> None:
        try:
            while not self._finished.wait(RENEW_EVERY):
                try:
                    self._renew()
                except LeaseLost:
                    self._lost.set()
                    child_processes.kill_those_of_thread(self._working_thread)
                except DatabaseError as problem:
                    # The lease outlives a database that is away for some seconds.
                    log.warning("The lease of %s was not renewed: %s", self._lease.chunk, problem)
                    connection.close()
        finally:
            connection.close()

    def _renew(self) -> None:
        stage, done, total = self._reached
        chunk = self._lease.chunk
        if chunk.stage == Chunk.WHOLE:
            self._lease.renew()
            running = Job.objects.filter(pk=chunk.job_id, state=Job.State.RUNNING)
            running.update(stage=stage, done=done, total=total)
        else:
            self._lease.renew(done=done)
            _sum_progress(chunk)

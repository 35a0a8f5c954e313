"""Chunks of jobs: claiming one under a lease, renewing the lease, and starting the next stage.

A claim is a conditional UPDATE whose row count decides who has the chunk. The worker that finds a
stage complete starts the next one, by a conditional UPDATE too.
"""

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from typing import Any

from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Chunk, Job
from annotation.pipeline.child_processes import kill_child_processes
from annotation.pipeline.stages import StageResult, plan

log = getLogger(__name__)

LEASE = timedelta(seconds=30)
# Seconds between two renewals, which also store progress and notice a lost lease.
RENEW_EVERY = 1.0
MAX_TRIES = 5

RELEASED: dict[str, Any] = {"owner": "", "lease_until": None}

# Takes the stage, and how many of how many sentences are done.
Progress = Callable[[str, int, int], None]


class LeaseLost(Exception):
    """Another worker does the chunk now, or the job was cancelled."""


class Interrupted(Exception):
    """This process is stopping: another worker is to do the chunk."""


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

    def renew_with_progress(self, stage: str, done: int, total: int) -> None:
        """Renew the lease, and store how much of the chunk is done. Raise LeaseLost."""
        if self.chunk.stage == Chunk.WHOLE:
            self.renew()
            running = Job.objects.filter(pk=self.chunk.job_id, state=Job.State.RUNNING)
            running.update(stage=stage, done=done, total=total)
        else:
            self.renew(done=done)
            self._sum_progress()

    def complete(self, result: StageResult) -> None:
        """Mark the chunk as done. Raise LeaseLost."""
        done = self.held().update(
            state=Chunk.State.DONE, done=self.chunk.size, result=result, **RELEASED
        )
        if not done:
            raise LeaseLost
        if self.chunk.stage != Chunk.WHOLE:
            self._sum_progress()

    def release(self, *, count_try: bool = False) -> None:
        """Give the chunk back; the try does not count unless `count_try`.

        Without a database the lease expires by itself.
        """
        tries = F("tries") if count_try else F("tries") - 1
        with suppress(DatabaseError):
            self.held().update(state=Chunk.State.WAITING, tries=tries, **RELEASED)

    def _sum_progress(self) -> None:
        """Store with the job how many sentences of the chunk's stage are done."""
        of_stage = {"stage": self.chunk.stage}
        done = Chunk.objects.filter(job=self.chunk.job_id, **of_stage).aggregate(sum=Sum("done"))
        Job.objects.filter(pk=self.chunk.job_id, **of_stage).update(done=done["sum"] or 0)


@contextmanager
def renewing(lease: Lease, stopping: threading.Event) -> Iterator[Progress]:
    """Renew the lease from a thread, and yield the function to which the work reports progress.

    The thread is needed because an aligner may run for minutes. Where the lease is lost, it kills
    the programs that the work has started, and the function raises LeaseLost. The function raises
    Interrupted once `stopping` is set.
    """
    reached = ("", 0, 0)
    working_thread = threading.get_native_id()
    lost, finished = threading.Event(), threading.Event()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal reached
        reached = stage, done, total
        if lost.is_set():
            raise LeaseLost
        if stopping.is_set():
            raise Interrupted

    def keep_renewing() -> None:
        try:
            while not finished.wait(RENEW_EVERY):
                try:
                    lease.renew_with_progress(*reached)
                except LeaseLost:
                    lost.set()
                    kill_child_processes(working_thread)
                except DatabaseError as problem:
                    # The lease outlives a database that is away for some seconds.
                    log.warning("The lease of %s was not renewed: %s", lease.chunk, problem)
                    connection.close()
        finally:
            connection.close()

    if connection.in_atomic_block:
        # As in tests: the connection of another thread would not see the chunk.
        yield report
        return
    thread = threading.Thread(target=keep_renewing, name="lease", daemon=True)
    thread.start()
    try:
        yield report
    finally:
        finished.set()
        thread.join()


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
    """Return how many workers could start something now for a job that is queued or running."""
    return 1 if _is_next_stage_due(job) else _claimable(job).count()


def count_live() -> int:
    """Return how many chunks workers do now. One query."""
    return Chunk.objects.filter(state=Chunk.State.RUNNING, lease_until__gte=timezone.now()).count()


def has_live_lease(job: Job | None = None) -> bool:
    """Return whether a worker does a chunk of the job, or of any job."""
    live = Chunk.objects.filter(state=Chunk.State.RUNNING, lease_until__gte=timezone.now())
    return (live.filter(job=job) if job else live).exists()


def release_leases_of_this_process() -> None:
    Chunk.objects.filter(state=Chunk.State.RUNNING, owner__startswith=_owner_prefix()).update(
        state=Chunk.State.WAITING, **RELEASED
    )


def _owner_prefix() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:"


def claim(job_id: int) -> Lease | None:
    """Return the lease of a chunk of the job, or None where no chunk is free.

    Starts the job, or its next stage, where that is due. Raises InputError where the next stage
    cannot start, or a chunk was begun MAX_TRIES times.
    """
    unfinished = Job.objects.select_related("project").filter(pk=job_id, state__in=Job.AT_WORK)
    while job := unfinished.first():
        if _is_next_stage_due(job):
            start_next_stage(job)
            continue
        chunk = _claimable(job).order_by("first").first()
        if chunk is None:
            return None
        if chunk.tries >= MAX_TRIES:
            raise InputError(
                _(
                    "The work stopped %(tries)d times at the same place (%(place)s): is there "
                    "enough memory, and room on the disk? The server's log may tell more."
                ),
                tries=chunk.tries,
                place=str(chunk),
            )
        lease = Lease(chunk, _owner_prefix() + secrets.token_hex(4))
        taken = (
            _claimable(job)
            .filter(pk=chunk.pk)
            .update(
                state=Chunk.State.RUNNING,
                owner=lease.owner,
                lease_until=timezone.now() + LEASE,
                tries=F("tries") + 1,
                done=0,
            )
        )
        # Otherwise another worker took it first.
        if taken:
            return lease
    return None


def _is_next_stage_due(job: Job) -> bool:
    """Return whether the job waits for its first stage, or has completed the present one.

    A running job without chunks is done by a command.
    """
    if job.state == Job.State.QUEUED:
        return True
    return job.chunks.exists() and not job.chunks.exclude(state=Chunk.State.DONE).exists()


def _claimable(job: Job) -> QuerySet[Chunk]:
    expired = Q(state=Chunk.State.RUNNING, lease_until__lt=timezone.now())
    return job.chunks.filter(Q(state=Chunk.State.WAITING) | expired)


def start_next_stage(job: Job) -> None:
    """Start the job or its next stage, or finish the job, unless another worker does."""
    is_new = job.state == Job.State.QUEUED
    started = timezone.now() if is_new else job.started
    with transaction.atomic():
        # `started` differs after a retry. The UPDATE locks the row, so that a second worker waits
        # here and then finds another state or stage.
        if not Job.objects.filter(
            pk=job.pk, state=job.state, stage=job.stage, started=job.started
        ).update(state=Job.State.RUNNING, started=started, error=""):
            return
        job.started = started
        if is_new:
            # Those of an earlier try.
            job.chunks.all().delete()
        if job.is_one_chunk:
            if is_new:
                Chunk.objects.create(job=job, stage=Chunk.WHOLE, first=1, last=1)
            else:
                finish(job)
        elif stage := plan.next_stage(job):
            Chunk.objects.bulk_create(enter_stage(job, stage))
        else:
            plan.finish(job, list(job.chunks.order_by("pk").values_list("result", flat=True)))
            finish(job)


def enter_stage(job: Job, stage: str) -> Sequence[Chunk]:
    """Store that the job has begun the stage; return its chunks, which are not stored yet."""
    chunks = plan.chunks_of(job, stage)
    began = round((timezone.now() - (job.started or timezone.now())) / timedelta(seconds=1), 1)
    job.stage, job.stages, job.done = stage, [*job.stages, [stage, began]], 0
    job.total = sum(chunk.size for chunk in chunks)
    job.save(update_fields=["stage", "stages", "done", "total", "options"])
    return chunks


def finish(job: Job) -> None:
    """Mark the job as done."""
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, finished=timezone.now())
    job.chunks.all().delete()

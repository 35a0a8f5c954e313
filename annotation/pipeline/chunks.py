"""Chunks of jobs: claiming one under a lease, and starting the next stage.

The worker that finds a stage complete starts the next one, by a conditional UPDATE.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from annotation.common import claims
from annotation.common.claims import Claim, Interrupted, LeaseLost
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Chunk, Job
from annotation.pipeline.child_processes import kill_child_processes
from annotation.pipeline.stages import StageResult, plan
from annotation.process import clock

MAX_ATTEMPTS = 5

# Takes the stage, and how many of how many sentences are done.
Progress = Callable[[str, int, int], None]


class Lease(Claim[Chunk]):
    """The right to do a chunk while its job is running."""

    @property
    def chunk(self) -> Chunk:
        return self.row

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
        self.finish(done=self.chunk.size, result=result)
        if self.chunk.stage != Chunk.WHOLE:
            self._sum_progress()

    def _sum_progress(self) -> None:
        """Store with the job how many sentences of the chunk's stage are done."""
        of_stage = {"stage": self.chunk.stage}
        done = Chunk.objects.filter(job=self.chunk.job_id, **of_stage).aggregate(sum=Sum("done"))
        Job.objects.filter(pk=self.chunk.job_id, **of_stage).update(done=done["sum"] or 0)


@contextmanager
def renewing(lease: Lease, stopping: threading.Event) -> Iterator[Progress]:
    """Renew the lease, and yield the function to which the work reports progress.

    Where the lease is lost, the programs that the work has started are killed, and the function
    raises LeaseLost. It raises Interrupted once `stopping` is set.
    """
    reached = ("", 0, 0)
    working_thread = threading.get_native_id()
    with claims.renewing(
        lease,
        lambda: lease.renew_with_progress(*reached),
        lambda: kill_child_processes(working_thread),
    ) as lost:

        def report(stage: str, done: int, total: int) -> None:
            nonlocal reached
            reached = stage, done, total
            if lost.is_set():
                raise LeaseLost
            if stopping.is_set():
                raise Interrupted

        yield report


def pending_jobs() -> QuerySet[Job]:
    """Return the jobs that need a worker.

    They are queued, or have a chunk whose lease has expired, or are running without any worker.
    """
    chunks = Chunk.objects.filter(job=OuterRef("pk"))
    live = Exists(claims.live(chunks))
    expired = Exists(claims.claimable(chunks).filter(state=Chunk.State.RUNNING))
    abandoned = Exists(chunks) & (expired | ~live)
    return Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(abandoned, state=Job.State.RUNNING)
    ).order_by("pk")


def claimable_count(job: Job) -> int:
    """Return how many workers could start something now for a job that is queued or running."""
    return 1 if _is_next_stage_due(job) else _claimable(job).count()


def count_live() -> int:
    """Return how many chunks workers do now. One query."""
    return claims.live(Chunk.objects.all()).count()


def has_live_lease(job: Job | None = None) -> bool:
    """Return whether a worker does a chunk of the job, or of any job."""
    live = claims.live(Chunk.objects.all())
    return (live.filter(job=job) if job else live).exists()


def claim(job_id: int) -> Lease | None:
    """Return the lease of a chunk of the job, or None where no chunk is free.

    Starts the job, or its next stage, where that is due. Raises InputError where the next stage
    cannot start, or a chunk was begun MAX_ATTEMPTS times.
    """
    unfinished = Job.objects.select_related("project").filter(pk=job_id, state__in=Job.AT_WORK)
    while job := unfinished.first():
        if _is_next_stage_due(job):
            start_next_stage(job)
            continue
        chunk = _claimable(job).order_by("first").first()
        if chunk is None:
            return None
        if chunk.attempts >= MAX_ATTEMPTS:
            raise InputError(
                _(
                    "The work stopped %(tries)d times at the same place (%(place)s): is there "
                    "enough memory, and room on the disk? The server's log may tell more."
                ),
                tries=chunk.attempts,
                place=str(chunk),
            )
        # A subquery, not a join: an UPDATE then decides by the chunk's row as it is once locked.
        running = Job.objects.filter(pk=job_id, state=Job.State.RUNNING)
        if lease := Lease.take(chunk, Chunk.objects.filter(Exists(running)), done=0):
            return lease
        # Another worker took it first.
    return None


def _is_next_stage_due(job: Job) -> bool:
    """Return whether the job waits for its first stage, or has completed the present one.

    A running job without chunks is done by a command.
    """
    if job.state == Job.State.QUEUED:
        return True
    return job.chunks.exists() and not job.chunks.exclude(state=Chunk.State.DONE).exists()


def _claimable(job: Job) -> QuerySet[Chunk]:
    return claims.claimable(job.chunks.all())


def start_next_stage(job: Job) -> None:
    """Start the job or its next stage, or finish the job, unless another worker does."""
    is_new = job.state == Job.State.QUEUED
    started = clock.now() if is_new else job.started
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
    began = round((clock.now() - (job.started or clock.now())) / timedelta(seconds=1), 1)
    job.stage, job.stages, job.done = stage, [*job.stages, [stage, began]], 0
    job.total = sum(chunk.size for chunk in chunks)
    job.save(update_fields=["stage", "stages", "done", "total", "options"])
    return chunks


def finish(job: Job) -> None:
    """Mark the job as done."""
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, finished=clock.now())
    job.chunks.all().delete()

"""Background jobs: queueing, processing, cancelling and retrying them.

A chunk of a job has a lease of 30 seconds, which a worker renews while it works on the chunk. The
beat task `annotation.tasks.enqueue_pending` notifies workers of jobs that are queued, and of chunks
whose lease has expired. A worker that is notified of what another worker does finds no free chunk.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import partial
from logging import getLogger
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.models import Chunk, Job, Project, System
from annotation.pipeline import chunks
from annotation.pipeline.chunks import Lease, LeaseLost, LeaseRenewer
from annotation.pipeline.failures import reason
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.part import Part, StageResult
from annotation.pipeline.stages.plan import (
    STAGE_FUNCTIONS,
    StageFunctions,
    StageStart,
    options_of,
)
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.deletion import delete_project

log = getLogger(__name__)

# By name, since the module of the task imports this one.
TASK = "annotation.tasks.run_chunk"
# Seconds between two looks for pending jobs, after which a notification is repeated.
ENQUEUE_EVERY = 10.0
DATABASE_UNAVAILABLE = (OperationalError, InterfaceError)

AT_WORK = (Job.State.QUEUED, Job.State.RUNNING)
QUEUED_FIELDS: dict[str, Any] = {
    "state": Job.State.QUEUED,
    "error": "",
    "reason": {},
    "stage": "",
    "done": 0,
    "total": 0,
    "stages": [],
    "started": None,
    "finished": None,
}

# Set when this process is to stop: work in progress stops at its next report of progress.
stopping = threading.Event()

Progress = Callable[[str, int, int], None]


class JobInProgress(Exception):
    """The project has a job that is not finished: a new one has to wait."""


class Outcome(Enum):
    """What became of a worker's attempt to do a chunk."""

    DONE = auto()
    NOTHING_TO_DO = auto()
    # Another worker does the chunk, or the job was cancelled.
    LOST = auto()
    # The error is stored with the job.
    FAILED = auto()
    # The chunk is free again.
    RETRY = auto()


def enqueue(job_id: int) -> None:
    """Notify a worker of the job once the transaction is committed."""
    transaction.on_commit(partial(_notify, job_id))


def enqueue_pending() -> None:
    """Notify a worker of every job that is queued or has chunks that no worker does."""
    for job in chunks.pending_jobs():
        _notify(job.pk, expires=ENQUEUE_EVERY)


def process_chunk(job_id: int, functions: StageFunctions = STAGE_FUNCTIONS) -> Outcome:
    """Do one chunk of the job, and notify workers of what is left.

    An error is stored with the job, and fails the project that is being prepared. Raises
    DATABASE_UNAVAILABLE, with the chunk free again unless its lease has to expire first.
    """
    lease = None
    try:
        lease = chunks.claim(job_id)
        if lease is None:
            return Outcome.NOTHING_TO_DO
        if lease.chunk.first == 1:
            _notify_of_rest(job_id, settings.PREPARATION_WORKERS - 1)
        with LeaseRenewer(lease, stopping) as renewer:
            result = _run_stage(lease, renewer, functions)
        lease.complete(result)
    except LeaseLost:
        log.info("A chunk of job %s was cancelled, or another worker does it.", job_id)
        return Outcome.LOST
    except DATABASE_UNAVAILABLE:
        # It counts, because a full disk, too, is an OperationalError, and stays one.
        _release(lease, count_try=not stopping.is_set())
        raise
    except Exception as problem:
        if stopping.is_set():
            _release(lease)
            return Outcome.RETRY
        if lease and not lease.held().exists():
            # Two workers got in each other's way, and the chunk is the other's.
            return Outcome.LOST
        if isinstance(problem, InputError):
            log.warning("Job %s failed: %s", job_id, problem)
        else:
            log.exception("Job %s failed.", job_id)
        _fail(job_id, problem)
        return Outcome.FAILED
    except BaseException:
        _release(lease)
        raise
    _notify_of_rest(job_id, 1)
    return Outcome.DONE


def start_in_foreground(job: Job) -> None:
    """Reserve a new job for this process, in the transaction that creates it."""
    job.state, job.started = Job.State.RUNNING, timezone.now()
    job.save(update_fields=["state", "started"])


def run_in_foreground(job: Job, on_progress: Progress) -> None:
    """Prepare the project of the job in this process, stage by stage.

    Raises InputError where the texts cannot be prepared, or the job was cancelled. The caller
    deletes the project where this raises.
    """
    results: list[StageResult] = []
    start: StageStart | None = plan.first_stage(job)
    while start:
        with _writing_in_foreground(job):
            chunks.enter_stage(job, start, began=chunks.seconds_since_start(job))
        for chunk in start.chunks:
            results.append(_run_chunk_in_foreground(job, chunk, on_progress))
            Job.objects.filter(pk=job.pk).update(done=chunk.last)
            on_progress(start.stage, chunk.last, job.total)
        start = plan.next_stage(job)
    with _writing_in_foreground(job):
        plan.finish(job, results)
        chunks.finish(job)


def _run_chunk_in_foreground(job: Job, chunk: Chunk, on_progress: Progress) -> StageResult:
    def progress(done: int, total: int) -> None:
        of_chunk = chunk.size * done // total if total else 0
        on_progress(chunk.stage, chunk.first - 1 + of_chunk, job.total)

    writing = partial(_writing_in_foreground, job)
    part = Part(job.project, options_of(job), chunk.first, chunk.last, progress, writing)
    return STAGE_FUNCTIONS[chunk.stage](part)


@contextmanager
def _writing_in_foreground(job: Job) -> Iterator[None]:
    """Open a transaction in which the project stays. Raise InputError where it is deleted."""
    with writing():
        if not Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(error=""):
            raise InputError("The preparation was cancelled, and the project is deleted.")
        yield


def cancel(project: Project) -> bool:
    """Stop the preparation and delete the project; return False where it is finished already.

    Workers lose their leases: they store nothing more, and stop within a second.
    """
    cancelled = Job.objects.filter(
        project=project, task=Job.Task.PREPARE, state__in=(*AT_WORK, Job.State.FAILED)
    ).update(state=Job.State.CANCELLED)
    if cancelled:
        delete_project(project)
    return bool(cancelled)


def retry(project: Project) -> bool:
    """Queue the project's failed job again; return False where it did not fail."""
    with transaction.atomic():
        queued = Job.objects.filter(project=project, state=Job.State.FAILED).update(**QUEUED_FIELDS)
        if queued:
            job = Job.objects.get(project=project)
            if job.task == Job.Task.PREPARE:
                Project.objects.filter(pk=project.pk).update(state=Project.State.PREPARING)
            enqueue(job.pk)
    return bool(queued)


def queue_system(project: Project, name: str, effort: str = "") -> None:
    """Queue a job that gives the stored system of this name its candidates.

    The caller may store the system in the same transaction. Raises JobInProgress.
    """
    with transaction.atomic():
        # A project that was imported with its segments has no job yet.
        job, _created = Job.objects.get_or_create(
            project=project, defaults={"state": Job.State.DONE}
        )
        finished = Job.objects.filter(pk=job.pk, state__in=(Job.State.DONE, Job.State.FAILED))
        options = {"system": name, "effort": effort}
        if not finished.update(**QUEUED_FIELDS, task=Job.Task.ADD_SYSTEM, options=options):
            raise JobInProgress
        enqueue(job.pk)


def is_at_work(project: Project) -> bool:
    """Return whether the project has a job that is queued or running."""
    return Job.objects.filter(project=project, state__in=AT_WORK).exists()


def _notify(job_id: int, **options: Any) -> None:
    try:
        current_app.send_task(TASK, [job_id], **options)
    except BrokerError as problem:
        log.warning("The broker does not answer: job %s waits for a worker. %s", job_id, problem)


def _notify_of_rest(job_id: int, workers: int) -> None:
    job = Job.objects.filter(pk=job_id).first()
    if job and not stopping.is_set():
        for _worker in range(min(workers, chunks.claimable_count(job))):
            _notify(job_id)


def _run_stage(lease: Lease, renewer: LeaseRenewer, functions: StageFunctions) -> StageResult:
    job = Job.objects.select_related("project").get(pk=lease.chunk.job_id)
    if lease.chunk.stage == Chunk.WHOLE:
        system = System.objects.get(project=job.project_id, name=job.options["system"])
        effort = job.options["effort"]
        project_new_system(system=system, effort=effort, progress=renewer.job_progress)
        return {}
    part = Part(
        project=job.project,
        options=options_of(job),
        first=lease.chunk.first,
        last=lease.chunk.last,
        progress=renewer.chunk_progress,
        writing=lease.writing,
    )
    return functions[lease.chunk.stage](part)


def _release(lease: Lease | None, *, count_try: bool = False) -> None:
    # Without a database the lease expires by itself.
    with suppress(DatabaseError):
        if lease:
            lease.release(count_try=count_try)


def _fail(job_id: int, problem: Exception) -> None:
    with transaction.atomic():
        why = reason(problem, Job.objects.get(pk=job_id).task)
        failed = Job.objects.filter(pk=job_id, state__in=AT_WORK).update(
            state=Job.State.FAILED,
            finished=timezone.now(),
            error=str(why),
            reason=why.to_json(),
        )
        if failed:
            # A failure to add a system leaves a project open.
            Project.objects.filter(job=job_id, job__task=Job.Task.PREPARE).update(
                state=Project.State.FAILED
            )

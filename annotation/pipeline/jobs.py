"""Background jobs: queueing, processing, cancelling and retrying them.

A chunk of a job has a lease of 30 seconds, which a worker renews while it works on the chunk. The
beat task `annotation.tasks.enqueue_pending` notifies workers of jobs that are queued, and of chunks
whose lease has expired. A worker that is notified of what another worker does finds no free chunk.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from functools import partial
from logging import getLogger
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from annotation.common.claims import LeaseLost
from annotation.common.database_errors import is_disk_full
from annotation.common.error_messages import LocalizedMessage, localize_error, with_location
from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import Writing, retried, writing
from annotation.formats.errors import InputError, unexpected
from annotation.formats.errors import Template as _
from annotation.models import Chunk, Job, Project, System
from annotation.pipeline import chunks
from annotation.pipeline.acceptance_project import store_edits
from annotation.pipeline.chunks import Lease, Progress, renewing
from annotation.pipeline.project_copy import copy_texts
from annotation.pipeline.ready_made_segments import import_uploaded
from annotation.pipeline.stages import StageResult, plan
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS, StageFunctions
from annotation.pipeline.system_candidates import project_new_system
from annotation.process import clock
from annotation.process.log_context import current_request
from annotation.projects import deletion

log = getLogger(__name__)

# By name, since the module of the task imports this one.
TASK = "annotation.tasks.run_chunk"
# Chunks that a process does at a time, so that the other threads of `manage.py up` are free for
# reports, previews and webhooks. The processes of a server do one at a time in any case.
MOST_AT_ONCE = 2
DATABASE_UNAVAILABLE = (OperationalError, InterfaceError)

PREPARATION_STOPPED = _(
    "The preparation stopped at an unexpected error, %(kind)s: %(line)s (the server's log has the "
    "details)."
)
ADDING_STOPPED = _(
    "Adding the system stopped at an unexpected error, %(kind)s: %(line)s (the server's log has "
    "the details)."
)

# Set when this process is to stop: work in progress stops at its next report of progress.
stopping = threading.Event()


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


# --- what people and commands do with jobs ------------------------------------------------------


def queued_fields() -> dict[str, Any]:
    """Return the fields of a finished job that this request or task queues again."""
    return {
        "state": Job.State.QUEUED,
        "request_id": current_request(),
        "error": "",
        "reason": {},
        "stage": "",
        "done": 0,
        "total": 0,
        "stages": [],
        "started": None,
        "finished": None,
    }


def enqueue(job_id: int) -> None:
    """Notify a worker of the job once the transaction is committed."""
    send_task(TASK, job_id)


def enqueue_pending() -> None:
    """Notify a worker of every job and deletion that is pending or has lost its worker."""
    for job in chunks.pending_jobs():
        send_task(TASK, job.pk, request=job.request_id, expires=EXPIRES)
    deletion.enqueue_pending()


def is_at_work(project: Project) -> bool:
    """Return whether the project has a job that is queued or running."""
    return Job.objects.filter(project=project, state__in=Job.AT_WORK).exists()


def refuse_at_work(project: Project) -> None:
    """Raise InputError if the project has a job that is queued or running."""
    if is_at_work(project):
        raise InputError(
            f"The project {project.name!r} has a job in progress: wait until it is finished."
        )


@retried
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
        if not finished.update(**queued_fields(), task=Job.Task.ADD_SYSTEM, options=options):
            raise JobInProgress
        enqueue(job.pk)


def retry(project: Project) -> bool:
    """Queue the project's failed job again; return False where it did not fail."""
    with transaction.atomic():
        failed = Job.objects.filter(project=project, state=Job.State.FAILED)
        queued = failed.update(**queued_fields())
        if queued:
            job = Job.objects.get(project=project)
            if job.makes_project:
                Project.objects.filter(pk=project.pk).update(state=Project.State.PREPARING)
            enqueue(job.pk)
    return bool(queued)


@retried
def cancel(project: Project) -> bool:
    """Stop the preparation and delete the project; return False where it is finished already.

    Workers lose their leases: they store nothing more, and stop within a second.
    """
    with transaction.atomic():
        unfinished = Job.objects.filter(
            project=project, state__in=(*Job.AT_WORK, Job.State.FAILED)
        ).exclude(task=Job.Task.ADD_SYSTEM)
        cancelled = unfinished.update(state=Job.State.CANCELLED)
        if cancelled:
            deletion.request_deletion(project)
    return bool(cancelled)


def error_message(job: Job) -> LocalizedMessage | None:
    """Return why the job failed in the language of the page; None where it did not fail."""
    if not job.error:
        return None
    message = localize_error(InputError.from_json(job.reason))
    return LocalizedMessage("", 0, with_location(message), message.in_english)


# --- what a worker does -------------------------------------------------------------------------


class _Turns:
    """The turns of jobs in this process, which does `most` chunks at a time."""

    def __init__(self, most: int) -> None:
        self._left = most
        # The requests that began the jobs, by the jobs' ids; first come, first served.
        self._refused: dict[int, str] = {}
        self._lock = threading.Lock()

    def begin(self, job_id: int) -> bool:
        """Return whether a chunk of the job may begin; else the job waits for its turn."""
        with self._lock:
            if not self._left:
                self._refused.setdefault(job_id, current_request())
                return False
            self._left -= 1
            return True

    def end(self) -> tuple[int, str] | None:
        """End a chunk; return the job that has waited longest, and waits no longer."""
        with self._lock:
            self._left += 1
            first = next(iter(self._refused.items()), None)
            if first is not None:
                del self._refused[first[0]]
            return first


_turns = _Turns(MOST_AT_ONCE)


def process_chunk(job_id: int, functions: StageFunctions = STAGE_FUNCTIONS) -> Outcome:
    """Do one chunk of the job, and notify workers of what is left.

    If this process does MOST_AT_ONCE others, it does nothing, and is notified again later.

    An error is stored with the job, and fails the project that is being prepared. Raises
    DATABASE_UNAVAILABLE, with the chunk free again unless its lease has to expire first.
    """
    if not _turns.begin(job_id):
        return Outcome.NOTHING_TO_DO
    try:
        outcome = _process_chunk(job_id, functions)
    finally:
        waiting = _turns.end()
        if waiting is not None and not stopping.is_set():
            send_task(TASK, waiting[0], request=waiting[1])
    if outcome is Outcome.DONE:
        _notify_of_rest(job_id, 1)
    return outcome


def _process_chunk(job_id: int, functions: StageFunctions) -> Outcome:
    lease = None
    try:
        lease = chunks.claim(job_id)
        if lease is None:
            return Outcome.NOTHING_TO_DO
        if lease.chunk.first == 1:
            _notify_of_rest(job_id, settings.PREPARATION_WORKERS - 1)
        with renewing(lease, stopping) as progress:
            result = _result_of(lease, progress, functions)
        lease.complete(result)
    except LeaseLost:
        log.info("A chunk of job %s was cancelled, or another worker does it.", job_id)
        return Outcome.LOST
    except DATABASE_UNAVAILABLE as problem:
        # It counts, because a full disk, too, is an OperationalError, and may stay one. Then the
        # lease expires by itself: at once, all attempts would be over within seconds.
        if lease and not is_disk_full(problem):
            lease.release(count_attempt=not stopping.is_set())
        raise
    except Exception as problem:
        if stopping.is_set():
            if lease:
                lease.release()
            return Outcome.RETRY
        if lease and not lease.held().exists():
            # Two workers got in each other's way, and the chunk is the other's.
            return Outcome.LOST
        _fail(job_id, problem)
        return Outcome.FAILED
    except BaseException:
        if lease:
            lease.release()
        raise
    return Outcome.DONE


def _notify_of_rest(job_id: int, workers: int) -> None:
    job = Job.objects.filter(pk=job_id, state__in=Job.AT_WORK).first()
    if job and not stopping.is_set():
        for _worker in range(min(workers, chunks.claimable_count(job))):
            enqueue(job_id)


def _add_system(job: Job, *, progress: Progress, writing: Writing) -> None:
    system = System.objects.get(project=job.project_id, name=job.options["system"])
    project_new_system(system=system, effort=job.options["effort"], progress=progress)


# What is done in one chunk; a preparation has stages.
WHOLE_JOBS: dict[str, Callable[..., None]] = {
    Job.Task.IMPORT_SEGMENTS: import_uploaded,
    Job.Task.COPY: copy_texts,
    Job.Task.COLLECT_EDITS: store_edits,
    Job.Task.ADD_SYSTEM: _add_system,
}


def _result_of(lease: Lease, progress: Progress, functions: StageFunctions) -> StageResult:
    chunk = lease.chunk
    job = Job.objects.select_related("project").get(pk=chunk.job_id)
    if do_whole := WHOLE_JOBS.get(job.task):
        do_whole(job, progress=progress, writing=lease.writing)
        return {}
    return plan.do_chunk(
        job,
        chunk,
        functions,
        progress=lambda done: progress(chunk.stage, done, chunk.size),
        writing=lease.writing,
    )


def _fail(job_id: int, problem: Exception) -> None:
    """Log the error and store it with the job; errors other than InputError get a sentence."""
    if isinstance(problem, InputError):
        log.warning("Job %s failed: %s", job_id, problem)
    else:
        log.error("Job %s failed.", job_id, exc_info=problem)
    with transaction.atomic():
        job = Job.objects.get(pk=job_id)
        error = problem
        if not isinstance(error, InputError):
            error = unexpected(
                PREPARATION_STOPPED if job.makes_project else ADDING_STOPPED, problem
            )
        failed = Job.objects.filter(pk=job_id, state__in=Job.AT_WORK).update(
            state=Job.State.FAILED,
            finished=clock.now(),
            error=str(error),
            reason=error.to_json(),
        )
        # A failure to add a system leaves a project open.
        if failed and job.makes_project:
            Project.objects.filter(pk=job.project_id).update(state=Project.State.FAILED)


# --- a job of a command -------------------------------------------------------------------------


def start_in_foreground(job: Job) -> None:
    """Reserve a new job for this process, in the transaction that creates it."""
    job.state, job.started = Job.State.RUNNING, clock.now()
    job.save(update_fields=["state", "started"])


def run_in_foreground(job: Job, on_progress: Progress) -> None:
    """Prepare the project of the job in this process, stage by stage.

    Raises InputError where the texts cannot be prepared, or the job was cancelled. The caller
    deletes the project where this raises.
    """

    @contextmanager
    def writing_while_running() -> Iterator[None]:
        with writing():
            if not Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(error=""):
                raise InputError("The preparation was cancelled, and the project is deleted.")
            yield

    def report(chunk: Chunk, done: int) -> None:
        on_progress(chunk.stage, chunk.first - 1 + done, job.total)

    results: list[StageResult] = []
    while stage := plan.next_stage(job):
        with writing_while_running():
            chunks_of_stage = chunks.enter_stage(job, stage)
        for chunk in chunks_of_stage:
            results.append(
                plan.do_chunk(
                    job,
                    chunk,
                    STAGE_FUNCTIONS,
                    progress=partial(report, chunk),
                    writing=writing_while_running,
                )
            )
            Job.objects.filter(pk=job.pk).update(done=chunk.last)
            report(chunk, chunk.size)
    with writing_while_running():
        plan.finish(job, results)
        chunks.finish(job)

"""Background work: beginning it, going on with it, how it ended.

A job is a row of stages, each cut into chunks; `chunks` says who does which. Several workers may
be told of the same job, and one worker several times: each does whatever is free of it. What a
process that is gone had taken can be taken again.
"""

import threading
from collections.abc import Callable, Mapping
from functools import partial
from logging import getLogger
from time import sleep
from typing import Any

from celery import current_app
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.formats.errors import InputError
from annotation.models import Chunk, Job, Project, System
from annotation.pipeline import chunks, processes
from annotation.pipeline.failures import reason
from annotation.pipeline.leases import (
    LEASE,
    NOBODYS,
    REPORT_EVERY,
    Keeper,
    Lease,
    LeaseLost,
    Progress,
)
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.plan import WORK, options_of
from annotation.pipeline.system_candidates import bring_system
from annotation.projects.deletion import delete_project

log = getLogger(__name__)

# What does a part of each stage.
Work = Mapping[str, Callable[[Part], Made]]

# By name, since the module of the task imports this one.
TASK = "annotation.tasks.run_chunk"

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED)
# What is stored of a job that waits for a worker, whatever came before.
FRESH: dict[str, Any] = {
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
# How often deleting a cancelled project is tried while its worker writes a last time.
ATTEMPTS = 10

# The database is away or busy: what was being done may well go on once it is back. Nobody has to be
# told: the lease of the chunk runs out.
AWAY = (OperationalError, InterfaceError)
# Workers that are sent for at once where a stage begins: more would keep other jobs waiting.
LANES = 4

# Set when this process is to end: its work then stops at its next step and is others' again.
stopping = threading.Event()


class Busy(Exception):
    """Something is being done with the project: the next thing has to wait."""


def send(job_id: int) -> None:
    """Tell the workers of the job once the transaction is committed."""
    transaction.on_commit(partial(send_now, job_id))


def send_now(job_id: int) -> bool:
    """Tell the workers of the job; return whether that could be done."""
    try:
        current_app.send_task(TASK, [job_id])
    except BrokerError as problem:
        log.warning("The broker does not answer: job %s waits for a worker. %s", job_id, problem)
        return False
    return True


def unclaimed() -> list[Job]:
    """Return the jobs of which anyone may do something: waiting, or left by a process gone."""
    return [job for job in _at_work() if chunks.waiting(job)]


def claim_new(job: Job) -> None:
    """Keep a job for this process, in the transaction that makes it, so that no worker takes it."""
    Job.objects.filter(pk=job.pk).update(
        owner=f"{processes.this_process()}:", lease_until=timezone.now() + LEASE
    )
    job.refresh_from_db()


def work(job_id: int, on_progress: Progress | None = None, do: Work = WORK) -> None:
    """Do a job that `claim_new` kept for this process, to its end, here and now.

    Whatever it raises is raised here too; for an Exception the job has failed (see `step`).
    Raises LeaseLost where a worker has taken the job over, because this process stood still.
    """
    holder = Job.objects.get(pk=job_id).owner
    while (lease := _claim(job_id, holder)) is not None:
        _perform(lease, do, on_progress)
    if not Job.objects.filter(pk=job_id, state=Job.State.DONE).exists():
        raise LeaseLost


def step(job_id: int, do: Work = WORK) -> bool:
    """Do a chunk of the job as a worker; return whether there was one to do.

    Others are told of what is left. A failure is stored with the job; one of the preparation
    fails the project. Where the process is to end, the chunk is others' again; where the database
    is away or busy, it is tried again after a while.
    """
    try:
        lease = _claim(job_id)
    except InputError as problem:
        log.warning("Job %s failed: %s", job_id, problem)
        return False
    if lease is None:
        return False
    if lease.is_first:
        _tell_others(job_id, LANES)
    try:
        _perform(lease, do)
    except LeaseLost:
        if Job.objects.filter(pk=job_id, state=Job.State.RUNNING).exists():
            log.warning(
                "A chunk of job %s went on elsewhere, since its lease was not renewed in time.",
                job_id,
            )
    except AWAY as problem:
        log.warning("A chunk of job %s is tried again: %s", job_id, problem)
        return False
    except Exception as problem:
        if stopping.is_set():
            _release(lease)
        elif isinstance(problem, InputError):
            log.warning("Job %s failed: %s", job_id, problem)
        else:
            log.exception("Job %s failed.", job_id)
    except BaseException:
        _release(lease)
        raise
    _tell_others(job_id)
    return True


def run(job_id: int, do: Work = WORK) -> None:
    """Do whatever is free of the job, one chunk after the other."""
    while not stopping.is_set() and step(job_id, do):
        pass


def cancel(project: Project) -> bool:
    """Stop the preparation and delete the project; return False where it is finished already.

    A project that is prepared stays, whatever else is being done with it.
    The worker is told within half a second, and what it starts or writes meanwhile comes to
    nothing: its lease is lost, and the rows that it would add to are gone.
    """
    cancelled = Job.objects.filter(
        project=project, task=Job.Task.PREPARE, state__in=UNFINISHED
    ).update(state=Job.State.CANCELLED, owner="", lease_until=None)
    if not cancelled:
        return False
    for attempt in range(ATTEMPTS):
        try:
            delete_project(project)
            break
        except IntegrityError:
            # The worker has just written what its last step made, and will write no more.
            if attempt == ATTEMPTS - 1:
                raise
            sleep(REPORT_EVERY)
    return True


def retry(project: Project) -> bool:
    """Queue what failed once more; return False where nothing has.

    A project whose preparation failed is being prepared again; adding a system leaves it as it is.
    """
    with transaction.atomic():
        queued = Job.objects.filter(project=project, state=Job.State.FAILED).update(**FRESH)
        if queued:
            job = Job.objects.get(project=project)
            if job.task == Job.Task.PREPARE:
                Project.objects.filter(pk=project.pk).update(state=Project.State.PREPARING)
            send(job.pk)
    return bool(queued)


def queue_system(project: Project, name: str, effort: str = "") -> None:
    """Queue giving the stored system of this name its candidates (see `bring_system`).

    Whoever calls it may store the system in the same transaction. Raises Busy.
    """
    with transaction.atomic():
        # A project that came ready-made has had nothing done with it.
        job, _made = Job.objects.get_or_create(project=project, defaults={"state": Job.State.DONE})
        finished = Job.objects.filter(pk=job.pk, state__in=(Job.State.DONE, Job.State.FAILED))
        options = {"system": name, "effort": effort}
        if not finished.update(**FRESH, task=Job.Task.ADD_SYSTEM, options=options):
            raise Busy
        send(job.pk)


def is_at_work(project: Project) -> bool:
    """Tell whether a worker does something with the project, or is about to."""
    return _at_work().filter(project=project).exists()


def is_worked_on() -> bool:
    """Tell whether some worker does a chunk of any job just now, as far as we know."""
    held = Chunk.objects.filter(
        state=Chunk.State.RUNNING, lease_until__gt=timezone.now(), job__owner=""
    )
    owners = held.values_list("owner", flat=True).distinct()
    return any(not processes.is_gone(chunks.process_of(owner)) for owner in owners)


def release_all() -> None:
    """Let others do whatever this process works on."""
    ours = f"{processes.this_process()}:"
    Chunk.objects.filter(state=Chunk.State.RUNNING, owner__startswith=ours).update(
        state=Chunk.State.WAITING, **NOBODYS
    )


def _at_work() -> QuerySet[Job]:
    return Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).order_by("pk")


def _claim(job_id: int, holder: str = "") -> Lease | None:
    """Return the lease of something to do; where the job cannot go on, it fails and it raises."""
    try:
        return chunks.claim(job_id, holder)
    except AWAY:
        raise
    except Exception as problem:
        _fail(job_id, problem)
        raise


def _perform(lease: Lease, do: Work, on_progress: Progress | None = None) -> None:
    try:
        job = Job.objects.select_related("project").get(pk=lease.job_id)
        with Keeper(lease, stopping, on_progress) as keeper:
            made = _made(job, lease, keeper, do)
    except (LeaseLost, *AWAY):
        raise
    except BaseException as problem:
        if not lease.held().exists():
            # Two at work got in each other's way, and the chunk is the other's.
            raise LeaseLost from problem
        if isinstance(problem, Exception) and not stopping.is_set():
            _fail(lease.job_id, problem)
        raise
    if not chunks.complete(lease, made):
        raise LeaseLost


def _made(job: Job, lease: Lease, keeper: Keeper, do: Work) -> Made:
    if lease.stage == Chunk.WHOLE:
        system = System.objects.get(project=job.project_id, name=job.options["system"])
        bring_system(system=system, effort=job.options["effort"], progress=keeper.progress)
        return {}
    chunk = Chunk.objects.get(pk=lease.chunk_id)
    part = Part(
        project=job.project,
        options=options_of(job),
        first=chunk.first,
        last=chunk.last,
        progress=keeper.part_progress,
        writing=lease.writing,
    )
    return do[lease.stage](part)


def _tell_others(job_id: int, most: int = 1) -> None:
    """Send for workers where there is more to do. Whoever has done a chunk sends for the next."""
    job = Job.objects.filter(pk=job_id).first()
    if job and not stopping.is_set():
        for _worker in range(min(most, chunks.waiting(job))):
            send_now(job_id)


def _fail(job_id: int, problem: Exception) -> None:
    with transaction.atomic():
        why = reason(problem, Job.objects.get(pk=job_id).task)
        failed = Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(
            state=Job.State.FAILED,
            owner="",
            lease_until=None,
            finished=timezone.now(),
            error=str(why),
            reason=why.to_json(),
        )
        if failed:
            # A project that is judged already goes on, whatever could not be added to it.
            Project.objects.filter(job=job_id, job__task=Job.Task.PREPARE).update(
                state=Project.State.FAILED
            )


def _release(lease: Lease) -> None:
    lease.held().update(state=Chunk.State.WAITING, tries=F("tries") - 1, **NOBODYS)

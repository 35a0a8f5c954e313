"""Background work: who may do a job, how far it is, and how it ended.

A job belongs to whoever holds its lease. Several workers may be told of the same job, and one
worker several times: one of them gets it, the others leave it alone. A job whose holder is gone
can be claimed again: preparing starts over what was left half done, adding a system goes on.
"""

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from logging import getLogger
from time import sleep
from typing import Any

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation import processes
from annotation.adding import bring_system
from annotation.deleting import delete_project
from annotation.formats.errors import InputError
from annotation.leases import LEASE, REPORT_EVERY, Keeper, Lease, LeaseLost
from annotation.models import Job, Project, System
from annotation.preparing import Progress, prepare
from annotation.projects import PrepareOptions

log = getLogger(__name__)

Work = Callable[[int, PrepareOptions, Progress], None]

# By name, since the module of the task imports this one.
TASK = "annotation.tasks.run_job"
# How long after its lease a job is looked at again whose holder may be gone.
GRACE = timedelta(seconds=5)

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED)
# What is stored of a job that waits for a worker, whatever came before.
FRESH: dict[str, Any] = {
    "state": Job.State.QUEUED,
    "error": "",
    "stage": "",
    "done": 0,
    "total": 0,
    "stages": [],
    "started": None,
    "finished": None,
}
# How often deleting a cancelled project is tried while its worker writes a last time.
ATTEMPTS = 10

# Set when this process is to end: its jobs then stop at their next step and go back to the queue.
stopping = threading.Event()


class Busy(Exception):
    """Something is being done with the project: the next thing has to wait."""


def send(job_id: int) -> None:
    """Tell the workers of the job once the transaction is committed."""
    transaction.on_commit(partial(_send, job_id))


def _send(job_id: int, wait: timedelta = timedelta()) -> None:
    try:
        current_app.send_task(TASK, [job_id], countdown=wait.total_seconds())
    except BrokerError as problem:
        log.warning("The broker does not answer: job %s waits for a worker. %s", job_id, problem)


def send_unfinished() -> None:
    """Tell the workers of every job that is not finished; for the start of a worker.

    Of a job that somebody seems to work on they are told when its lease would have ended.
    """
    for job in unclaimed():
        _send(job.pk)
    for job in Job.objects.filter(state=Job.State.RUNNING, lease_until__gte=timezone.now()):
        _send(job.pk, LEASE + GRACE)


def unclaimed() -> list[Job]:
    """Return the jobs that anyone may claim: waiting, or left by a process that is gone."""
    return list(Job.objects.filter(_claimable()).order_by("pk"))


def claim(job_id: int) -> Lease | None:
    """Return the lease of the job where nobody alive holds it, else None."""
    now = timezone.now()
    lease = Lease.new(job_id)
    claimed = Job.objects.filter(_claimable(), pk=job_id).update(
        state=Job.State.RUNNING,
        owner=lease.owner,
        lease_until=now + LEASE,
        started=now,
        finished=None,
        stage="",
        done=0,
        total=0,
        error="",
        stages=[],
    )
    return lease if claimed else None


def _claimable() -> Q:
    running = Q(state=Job.State.RUNNING)
    owners = Job.objects.filter(running).values_list("owner", flat=True)
    gone = [owner for owner in owners if processes.is_gone(owner.rpartition(":")[0])]
    return Q(state=Job.State.QUEUED) | running & (
        Q(lease_until__lt=timezone.now()) | Q(owner__in=gone)
    )


def claim_new(job: Job) -> None:
    """Claim a job in the transaction that makes it, so that no worker sees it free."""
    claim(job.pk)
    job.refresh_from_db()


def work(job_id: int, on_progress: Progress | None = None, do: Work = prepare) -> None:
    """Do a job that `claim_new` claimed, here and now.

    Whatever it raises is raised here too; for an Exception the job has failed (see `run`).
    Raises LeaseLost where a worker has taken the job over, because this process stood still.
    """
    lease = Lease(job_id, Job.objects.get(pk=job_id).owner)
    _perform(lease, do, on_progress)


def run(job_id: int, do: Work = prepare) -> None:
    """Do the job as a worker, unless it is finished or somebody else does it.

    A failure is stored with the job; one of the preparation, which `do` is, fails the project.
    Where the process is to end, the job goes back to the queue.
    """
    lease = claim(job_id)
    if lease is None:
        return
    try:
        _perform(lease, do)
    except LeaseLost:
        if Job.objects.filter(pk=job_id).exclude(state=Job.State.CANCELLED).exists():
            log.warning(
                "Job %s went on elsewhere, since its lease was not renewed in time.", job_id
            )
    except Exception as problem:
        if stopping.is_set():
            _release(_held(lease))
        elif isinstance(problem, InputError):
            log.warning("Job %s failed: %s", job_id, problem)
        else:
            log.exception("Job %s failed.", job_id)
    except BaseException:
        _release(_held(lease))
        raise


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
    states = (Job.State.QUEUED, Job.State.RUNNING)
    return Job.objects.filter(project=project, state__in=states).exists()


def release_all() -> None:
    """Put whatever this process works on back into the queue."""
    _release(
        Job.objects.filter(
            state=Job.State.RUNNING, owner__startswith=f"{processes.this_process()}:"
        )
    )


def _perform(lease: Lease, do: Work, on_progress: Progress | None = None) -> None:
    job = Job.objects.get(pk=lease.job_id)
    try:
        with Keeper(lease, stopping, on_progress) as keeper:
            if job.task == Job.Task.ADD_SYSTEM:
                _add_system(job, keeper.progress)
            else:
                do(job.project_id, PrepareOptions(**job.options), keeper.progress)
    except LeaseLost:
        raise
    except BaseException as problem:
        if not _held(lease).exists():
            # Two at work got in each other's way, and the job is the other's.
            raise LeaseLost from problem
        if isinstance(problem, Exception) and not stopping.is_set():
            _fail(lease, _sentence(problem, job))
        raise
    done = _held(lease).update(
        state=Job.State.DONE, owner="", lease_until=None, finished=timezone.now()
    )
    if not done:
        raise LeaseLost


def _add_system(job: Job, progress: Progress) -> None:
    system = System.objects.get(project=job.project_id, name=job.options["system"])
    bring_system(system=system, effort=job.options["effort"], progress=progress)


def _fail(lease: Lease, error: str) -> None:
    with transaction.atomic():
        failed = _held(lease).update(
            state=Job.State.FAILED,
            owner="",
            lease_until=None,
            finished=timezone.now(),
            error=error,
        )
        if failed:
            # A project that is judged already goes on, whatever could not be added to it.
            Project.objects.filter(job=lease.job_id, job__task=Job.Task.PREPARE).update(
                state=Project.State.FAILED
            )


def _sentence(problem: Exception, job: Job) -> str:
    if isinstance(problem, InputError):
        return str(problem)
    first_line = (str(problem).strip().splitlines() or ["no message"])[0]
    what = "The preparation" if job.task == Job.Task.PREPARE else "Adding the system"
    return (
        f"{what} stopped at an unexpected error, {type(problem).__name__}: {first_line} "
        "(the server's log has the details)."
    )


def _held(lease: Lease) -> QuerySet[Job]:
    return Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=Job.State.RUNNING)


def _release(jobs: QuerySet[Job]) -> None:
    jobs.update(state=Job.State.QUEUED, owner="", lease_until=None)

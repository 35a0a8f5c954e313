"""Who does which chunk of a job, and what comes after the last chunk of a stage.

Nobody waits for anybody: whoever finds that nothing is left of a stage begins the next one, by a
conditional UPDATE of which only one succeeds.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Chunk, Job
from annotation.pipeline import processes
from annotation.pipeline.leases import LEASE, NOBODYS, Lease, note_progress, run_out
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.plan import RESOLVED

# Chunks that are looked at to get one, while others take some of them.
LOOKED_AT = 50
# How often a chunk is begun at the most.
MOST_TRIES = 5


def is_free(job: Job, holder: str = "") -> bool:
    """Tell whether the job may be worked on by any process, or by `holder` whose it is."""
    if job.state not in (Job.State.QUEUED, Job.State.RUNNING):
        return False
    if not job.owner or job.owner == holder:
        return True
    over = Job.objects.filter(run_out(), pk=job.pk).exists()
    return over or processes.is_gone(process_of(job.owner))


def waiting(job: Job) -> int:
    """Return how many things can be done for the job now, by anyone: chunks, or a next stage."""
    if not is_free(job):
        return 0
    if job.state == Job.State.QUEUED or not _unfinished(job).exists():
        return 1
    return _claimable(job).count()


def what_is_left(job: Job) -> tuple[object, ...]:
    """Return what tells this time, at which something of the job is free, from all others."""
    first = _claimable(job).order_by("first").values_list("pk", "owner").first()
    return job.pk, job.stage, job.done, job.started, job.owner, first


def holder_of(job: Job) -> str:
    """Return a process that is alive, as far as we know, and works on the job; "" for none."""
    if job.state != Job.State.RUNNING:
        return ""
    if not is_free(job):
        return job.owner
    held = _of_stage(job).filter(state=Chunk.State.RUNNING).exclude(pk__in=_claimable(job))
    return held.values_list("owner", flat=True).first() or ""


def claim(job_id: int, holder: str = "") -> Lease | None:
    """Return the lease of a chunk of the job, of its next stage too, or None where none is free.

    `holder` is the process that the job was made for, if it was for one. Raises InputError where
    the next stage cannot begin.
    """
    while (job := _open(job_id, holder)) is not None:
        for chunk in _claimable(job).order_by("first")[:LOOKED_AT]:
            if lease := _take(job, chunk):
                return lease
        if _unfinished(job).exists():
            if not _claimable(job).exists():
                return None
        elif not _go_on(job):
            return None
    return None


def _take(job: Job, chunk: Chunk) -> Lease | None:
    """Return the lease of the chunk, unless somebody else has taken it meanwhile."""
    if chunk.tries >= MOST_TRIES:
        raise InputError(
            _(
                "The work stopped %(tries)d times at the same place (%(place)s): is there enough "
                "memory, and room on the disk? The server's log may tell more."
            ),
            tries=chunk.tries,
            place=str(chunk),
        )
    lease = Lease.new(chunk)
    free = _claimable(job).filter(pk=chunk.pk)
    taken = free.update(
        state=Chunk.State.RUNNING,
        owner=lease.owner,
        kept_by=lease.kept_by,
        lease_until=timezone.now() + LEASE,
        tries=F("tries") + 1,
        done=0,
    )
    return lease if taken else None


def complete(lease: Lease, made: dict[str, object]) -> bool:
    """Note that the chunk is done, and by whom; False where the lease was lost."""
    done = lease.held().update(
        state=Chunk.State.DONE,
        done=F("last") - F("first") + 1,
        made=made,
        **NOBODYS,
    )
    if done and lease.stage != Chunk.WHOLE:
        note_progress(lease.job_id, lease.stage)
    return bool(done)


def process_of(owner: str) -> str:
    return owner.rpartition(":")[0]


def _open(job_id: int, holder: str) -> Job | None:
    """Return the job where we may work on it; the job of a process that is gone is anyone's."""
    job = Job.objects.filter(pk=job_id).select_related("project").first()
    if job is None or not is_free(job, holder):
        return None
    if job.owner and job.owner != holder:
        freed = Job.objects.filter(pk=job_id, owner=job.owner).update(owner="", lease_until=None)
        if not freed:
            return None
    if job.state == Job.State.QUEUED and not _begin(job):
        return None
    return job


def _unfinished(job: Job) -> QuerySet[Chunk]:
    return _of_stage(job).exclude(state=Chunk.State.DONE)


def _of_stage(job: Job) -> QuerySet[Chunk]:
    # What is done in one go names its stages as it likes.
    stage = job.stage if job.task == Job.Task.PREPARE else Chunk.WHOLE
    return Chunk.objects.filter(job=job, stage=stage)


def _claimable(job: Job) -> QuerySet[Chunk]:
    running = _of_stage(job).filter(state=Chunk.State.RUNNING)
    owners = running.values_list("owner", flat=True).distinct()
    gone = [owner for owner in owners if processes.is_gone(process_of(owner))]
    return _of_stage(job).filter(
        Q(state=Chunk.State.WAITING)
        | Q(state=Chunk.State.RUNNING) & (run_out() | Q(owner__in=gone))
    )


def _begin(job: Job) -> bool:
    """Begin the queued job with its first stage; return whether somebody did, perhaps not we."""
    with transaction.atomic():
        begun = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(
            state=Job.State.RUNNING, started=timezone.now()
        )
        if begun:
            Chunk.objects.filter(job=job).delete()
            job.stages = []
            job.options.pop(RESOLVED, None)
            if job.task == Job.Task.PREPARE:
                _enter(job, *plan.first_stage(job), after=0.0)
            else:
                Chunk.objects.create(job=job, stage=Chunk.WHOLE, first=1, last=1)
    job.refresh_from_db()
    return job.state == Job.State.RUNNING


def _go_on(job: Job) -> bool:
    """Begin what follows the stage that is complete; return whether there is more to do.

    Two may come here at once, and one of them does it.
    """
    with transaction.atomic():
        # `started` tells this run from another, after a retry.
        here = Job.objects.filter(
            pk=job.pk, state=Job.State.RUNNING, stage=job.stage, started=job.started
        )
        # A write, so that whoever comes second waits here and then finds that it is done.
        if not here.update(error=""):
            return True
        following = None if job.task != Job.Task.PREPARE else plan.next_stage(job)
        if following:
            _enter(job, *following, after=_seconds(job))
            return True
        if job.task == Job.Task.PREPARE:
            plan.finish(job)
        Job.objects.filter(pk=job.pk).update(
            state=Job.State.DONE,
            owner="",
            lease_until=None,
            finished=timezone.now(),
        )
        Chunk.objects.filter(job=job).delete()
        return False


def _enter(job: Job, stage: str, parts: list[Chunk], after: float) -> None:
    Job.objects.filter(pk=job.pk).update(
        stage=stage,
        stages=[*job.stages, [stage, after]],
        done=0,
        total=sum(part.size for part in parts),
        options=job.options,
    )
    Chunk.objects.bulk_create(parts)


def _seconds(job: Job) -> float:
    began = job.started or timezone.now()
    return round((timezone.now() - began) / timedelta(seconds=1), 1)

"""Deletion of a project with all its rows; no foreign key cascades to judgements.

A project that is deleted is hidden first, in one short transaction. All that belongs to it follows
a page at a time, so that other people's writes never wait for long. `Project.delete_after` is the
lease of the process that deletes: every 10 seconds, beat enqueues the projects whose lease has
expired, because a process was killed or has not begun.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError
from django.db.models import Q

from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import in_turn, let_others_write, locked_by_id, retried, writing
from annotation.models import (
    AlignmentPriors,
    AssessmentBatch,
    Assignment,
    BatchItem,
    BatchTurn,
    Chunk,
    Edit,
    ErrorSpan,
    FurtherScore,
    GivenOrigin,
    Instructions,
    Job,
    Judgement,
    Media,
    MediaPlay,
    Membership,
    ParallelPage,
    Placement,
    Project,
    Reservation,
    Sentence,
    SettledPlacement,
    Settlement,
    ShownCandidate,
    ShownSystem,
    Skip,
    Submission,
    System,
    User,
)
from annotation.process import clock
from annotation.projects.media import delete_files
from annotation.projects.texts import delete_sentences, referring_first

# By name, since the module of the task imports this one.
TASK: Final = "annotation.tasks.delete_project"
# Longer than any page takes.
LEASE: Final = timedelta(seconds=30)
# Sentences whose rows are deleted in one transaction.
SENTENCES_PER_PAGE: Final = 100
BATCHES_PER_PAGE: Final = 20
# Few, since each may be as large as SEGRANKS_MAX_MEDIUM_MB says.
FILES_PER_PAGE: Final = 10


def delete_project(project: Project) -> None:
    """Hide the project at once, and delete all that belongs to it in this process.

    With it go the accounts that were imported with it. A worker that prepares the project loses its
    lease and stops. If this process is killed, a worker finishes the deletion.
    """
    lease = clock.now() + LEASE
    if _hide(project, lease):
        _delete_by_pages(project.pk, lease, lambda: False)


def request_deletion(project: Project) -> None:
    """Hide the project at once, and let a worker delete all that belongs to it."""
    if _hide(project, clock.now()):
        send_task(TASK, project.pk)


def continue_deletion(project_id: int, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Delete what is left of a hidden project, unless another process is doing so.

    It stops after a page once `is_stopping` returns True; then another process may go on at once.
    """
    now = clock.now()
    expired = Project.with_hidden.filter(pk=project_id, delete_after__lte=now)
    if expired.update(delete_after=now + LEASE):
        _delete_by_pages(project_id, now + LEASE, is_stopping)


def enqueue_pending() -> None:
    """Notify a worker of every hidden project that no process is deleting."""
    expired = Project.with_hidden.filter(delete_after__lte=clock.now())
    for pk in expired.values_list("pk", flat=True):
        send_task(TASK, pk, expires=EXPIRES)


@retried
def _hide(project: Project, delete_after: datetime) -> bool:
    """Make the project invisible everywhere; return False if it was so before.

    Members lose their memberships and what they have open.
    """
    with writing():
        # First the job and its chunks, which a worker locks before anything else too.
        Job.objects.filter(project=project).update(state=Job.State.CANCELLED)
        Chunk.objects.filter(job__project=project).delete()
        visible = Project.objects.filter(pk=project.pk)
        if not visible.update(delete_after=delete_after):
            return False
        locked_by_id(Membership.objects.filter(project=project))
        Membership.objects.filter(project=project).delete()
        open_ones = Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
        Assignment.objects.filter(pk__in=locked_by_id(open_ones)).update(
            state=Assignment.State.RETURNED, lease_until=None
        )
        Job.objects.filter(project=project).delete()
        return True


def _delete_by_pages(project_id: int, lease: datetime, is_stopping: Callable[[], bool]) -> None:
    left: datetime | None = lease
    try:
        while left and not is_stopping():
            # Before the rows, and in no transaction: if the process ends, the next one finds the
            # project, and what is left of its files.
            if delete_files(project_id, most=FILES_PER_PAGE):
                left = _delete_page(project_id, left)
            else:
                left = _renewed(project_id, left)
            if left:
                let_others_write()
    finally:
        if left:
            # Stopped, or failed: another process may go on at once.
            with suppress(DatabaseError):
                held = Project.with_hidden.filter(pk=project_id, delete_after=left)
                held.update(delete_after=clock.now())


@retried
def _delete_page(project_id: int, lease: datetime) -> datetime | None:
    """Delete some sentences, or in the end the rest; return the new lease.

    Returns None when the project is deleted, or another process is deleting it.
    """
    with writing():
        renewed = _renewed(project_id, lease)
        if not renewed:
            return None
        if AssessmentBatch.objects.filter(project=project_id).exists():
            _delete_batches(project_id)
            return renewed
        for rows in referring_first(Sentence.objects.filter(project=project_id)):
            if page := list(rows.values_list("pk", flat=True)[:SENTENCES_PER_PAGE]):
                _delete_sentences(page)
                return renewed
        _delete_rest(project_id)
        return None


def _renewed(project_id: int, lease: datetime) -> datetime | None:
    """Renew the lease; return it, or None if another process is deleting the project."""
    renewed = clock.now() + LEASE
    with in_turn():
        held = Project.with_hidden.filter(pk=project_id, delete_after=lease)
        return renewed if held.update(delete_after=renewed) else None


def _delete_batches(project_id: int) -> None:
    """Delete some batches with all that belongs to them."""
    batches = AssessmentBatch.objects.filter(project=project_id).order_by("pk")
    page = list(batches.values_list("pk", flat=True)[:BATCHES_PER_PAGE])
    items = BatchItem.objects.filter(batch__in=page)
    items.exclude(original=None).delete()
    items.delete()
    BatchTurn.objects.filter(batch__in=page).delete()
    AssessmentBatch.objects.filter(pk__in=page).delete()


def _delete_sentences(page: list[int]) -> None:
    """Delete the sentences and all that belongs to them, each row before the rows it refers to.

    Judgements of a further row of a sheet are found by their segments: their assignments are of the
    head, which is deleted later.
    """
    # Locked in the order of judging: an annotator who has just submitted finishes first, and one
    # who asks for a sentence is refused.
    heads = Sentence.objects.filter(further_rows__in=page)
    locked_by_id(Assignment.objects.filter(Q(sentence__in=page) | Q(sentence__in=heads)))
    locked_by_id(Sentence.objects.filter(pk__in=page), no_key=False)
    for rows in (
        Edit.objects.filter(placement__judgement__segment__sentence__in=page),
        ErrorSpan.objects.filter(placement__judgement__segment__sentence__in=page),
        FurtherScore.objects.filter(placement__judgement__segment__sentence__in=page),
        Placement.objects.filter(judgement__segment__sentence__in=page),
        Judgement.objects.filter(segment__sentence__in=page),
        MediaPlay.objects.filter(submission__assignment__sentence__in=page),
        Submission.objects.filter(assignment__sentence__in=page),
        Skip.objects.filter(assignment__sentence__in=page),
        SettledPlacement.objects.filter(candidate__segment__sentence__in=page),
        Settlement.objects.filter(sheet__in=page),
        ShownCandidate.objects.filter(candidate__segment__sentence__in=page),
        ShownSystem.objects.filter(assignment__sentence__in=page),
        Assignment.objects.filter(sentence__in=page),
        Reservation.objects.filter(sentence__in=page),
    ):
        rows.delete()
    delete_sentences(page)


def _delete_rest(project_id: int) -> None:
    """Delete the project, which has no sentences, with what other apps store about it."""
    # A row that is being stored for the project is stored before, or refused.
    Project.with_hidden.select_for_update().filter(pk=project_id).first()
    for rows in (
        Media.objects.filter(project=project_id),
        AlignmentPriors.objects.filter(project=project_id),
        ParallelPage.objects.filter(project=project_id),
        Instructions.objects.filter(project=project_id),
        System.objects.filter(project=project_id),
        GivenOrigin.objects.filter(project=project_id),
        Membership.objects.filter(project=project_id),
        User.objects.filter(imported_with=project_id),
        Job.objects.filter(project=project_id),
        Project.with_hidden.filter(pk=project_id),
    ):
        rows.delete()

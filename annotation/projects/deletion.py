"""Deleting a project, deliberately and completely: nothing cascades onto judgements."""

from django.db import transaction

from annotation.common.batches import delete_rows
from annotation.models import (
    AlignmentPriors,
    Answer,
    Assignment,
    Candidate,
    Chunk,
    Control,
    Draft,
    ExpectedPlacement,
    Instructions,
    Job,
    Judgement,
    Membership,
    ParallelPage,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    ShownCandidate,
    Skip,
    Submission,
    System,
    Translation,
    User,
)

# Sentences deleted in one go: memory stays the same for a project of any size.
PAGE = 1000


def delete_project(project: Project) -> None:
    """Delete the project, all that belongs to it, and the accounts that came with it.

    All in one transaction. Whoever calls it sees to it that no worker prepares the project.
    """
    with transaction.atomic():
        # First the job and its chunks, as whoever prepares locks these before anything else: two
        # who wait for one another are a deadlock.
        Job.objects.filter(project=project).update(state=Job.State.CANCELLED)
        Chunk.objects.filter(job__project=project).delete()
        Project.objects.select_for_update().filter(pk=project.pk).first()
        sentences = Sentence.objects.filter(project=project).values_list("pk", flat=True)
        # Copies before what they are copies of, and never in one go: either is protected.
        for are_originals in (False, True):
            of_kind = sentences.filter(copy_of__isnull=are_originals).order_by("pk")
            while page := list(of_kind[:PAGE]):
                _delete_sentences(page)
        AlignmentPriors.objects.filter(project=project).delete()
        ParallelPage.objects.filter(project=project).delete()
        Instructions.objects.filter(project=project).delete()
        System.objects.filter(project=project).delete()
        Membership.objects.filter(project=project).delete()
        User.objects.filter(imported_with=project).delete()
        Job.objects.filter(project=project).delete()
        Project.objects.filter(pk=project.pk).delete()


def _delete_sentences(page: list[int]) -> None:
    """Delete the sentences and all that belongs to them, each row before what it refers to."""
    for rows in (
        Placement.objects.filter(judgement__submission__assignment__sentence__in=page),
        Judgement.objects.filter(submission__assignment__sentence__in=page),
        Submission.objects.filter(assignment__sentence__in=page),
        Draft.objects.filter(assignment__sentence__in=page),
        Skip.objects.filter(assignment__sentence__in=page),
        ShownCandidate.objects.filter(assignment__sentence__in=page),
        Assignment.objects.filter(sentence__in=page),
        Control.objects.filter(segment__sentence__in=page),
        ExpectedPlacement.objects.filter(answer__segment__sentence__in=page),
        Answer.objects.filter(segment__sentence__in=page),
        Projection.objects.filter(segment__sentence__in=page),
        Candidate.objects.filter(segment__sentence__in=page),
        Segment.objects.filter(sentence__in=page),
        Translation.objects.filter(sentence__in=page),
        Sentence.objects.filter(pk__in=page),
    ):
        delete_rows(rows)

"""Deletion of a project with all its rows; no foreign key cascades to judgements."""

from django.db import transaction

from annotation.models import (
    AlignmentPriors,
    Answer,
    Assignment,
    Candidate,
    Chunk,
    Control,
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

# Sentences whose rows are deleted at a time: memory does not grow with the project.
ROWS_PER_STATEMENT = 1000


def delete_project(project: Project) -> None:
    """Delete the project, all that belongs to it, and the accounts that were imported with it.

    All in one transaction. A worker that prepares the project loses its lease and stops.
    """
    with transaction.atomic():
        # First the job and its chunks, which a worker locks before anything else too: another
        # order could end in a deadlock.
        Job.objects.filter(project=project).update(state=Job.State.CANCELLED)
        Chunk.objects.filter(job__project=project).delete()
        # Then the memberships, which a request that assigns a sentence locks. Its assignment refers
        # to the project, so the key of the project is locked only after that.
        locked = Project.objects.filter(pk=project.pk)
        locked.select_for_update(no_key=True).first()
        Membership.objects.filter(project=project).delete()
        locked.select_for_update().first()
        sentences = Sentence.objects.filter(project=project).values_list("pk", flat=True)
        # Copies before their originals, which they protect.
        for are_originals in (False, True):
            of_kind = sentences.filter(copy_of__isnull=are_originals).order_by("pk")
            while page := list(of_kind[:ROWS_PER_STATEMENT]):
                _delete_sentences(page)
        AlignmentPriors.objects.filter(project=project).delete()
        ParallelPage.objects.filter(project=project).delete()
        Instructions.objects.filter(project=project).delete()
        System.objects.filter(project=project).delete()
        User.objects.filter(imported_with=project).delete()
        Job.objects.filter(project=project).delete()
        Project.objects.filter(pk=project.pk).delete()


def _delete_sentences(page: list[int]) -> None:
    """Delete the sentences and all that belongs to them, each row before the rows it refers to."""
    for rows in (
        Placement.objects.filter(judgement__submission__assignment__sentence__in=page),
        Judgement.objects.filter(submission__assignment__sentence__in=page),
        Submission.objects.filter(assignment__sentence__in=page),
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
        rows.delete()

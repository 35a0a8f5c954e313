"""Deleting a project, deliberately and completely: nothing cascades onto judgements."""

from django.db import transaction

from annotation.models import (
    Answer,
    Assignment,
    Candidate,
    Control,
    Draft,
    ExpectedPlacement,
    Instructions,
    Job,
    Judgement,
    Membership,
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
PAGE = 100


def delete_project(project: Project) -> None:
    """Delete the project, all that belongs to it, and the accounts that came with it.

    All in one transaction. Whoever calls it sees to it that no worker prepares the project.
    """
    with transaction.atomic():
        Project.objects.select_for_update().filter(pk=project.pk).first()
        sentences = Sentence.objects.filter(project=project).values_list("pk", flat=True)
        # Copies before what they are copies of, and never in one go: either is protected.
        for are_originals in (False, True):
            of_kind = sentences.filter(copy_of__isnull=are_originals).order_by("pk")
            while page := list(of_kind[:PAGE]):
                _delete_sentences(page)
        Instructions.objects.filter(project=project).delete()
        System.objects.filter(project=project).delete()
        Membership.objects.filter(project=project).delete()
        User.objects.filter(came_with=project).delete()
        Job.objects.filter(project=project).delete()
        Project.objects.filter(pk=project.pk).delete()


def _delete_sentences(page: list[int]) -> None:
    """Delete the sentences and all that belongs to them, each row before what it refers to."""
    Placement.objects.filter(judgement__submission__assignment__sentence__in=page).delete()
    Judgement.objects.filter(submission__assignment__sentence__in=page).delete()
    Submission.objects.filter(assignment__sentence__in=page).delete()
    Draft.objects.filter(assignment__sentence__in=page).delete()
    Skip.objects.filter(assignment__sentence__in=page).delete()
    ShownCandidate.objects.filter(assignment__sentence__in=page).delete()
    Assignment.objects.filter(sentence__in=page).delete()
    Control.objects.filter(segment__sentence__in=page).delete()
    ExpectedPlacement.objects.filter(answer__segment__sentence__in=page).delete()
    Answer.objects.filter(segment__sentence__in=page).delete()
    Projection.objects.filter(segment__sentence__in=page).delete()
    Candidate.objects.filter(segment__sentence__in=page).delete()
    Segment.objects.filter(sentence__in=page).delete()
    Translation.objects.filter(sentence__in=page).delete()
    Sentence.objects.filter(pk__in=page).delete()

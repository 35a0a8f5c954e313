"""Judgements written straight into the tables."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from annotation.models import (
    Assignment,
    Judgement,
    Placement,
    Project,
    Segment,
    Submission,
    User,
)


def submit(
    project: Project,
    annotator: User,
    number: int,
    ranks: Mapping[str, Sequence[int | None]],
    *,
    seconds: float | None = 60.0,
) -> Assignment:
    """Store what the annotator made of a sentence: ranks of candidates by segment (None = garbage).

    The candidates are in the order in which the project got them.
    """
    sentence = project.sentences.get(number=number)
    judged_before = sentence.assignments.exists()
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=Assignment.Kind.INTER if judged_before else Assignment.Kind.FIRST,
        slot=None if judged_before else 1,
        state=Assignment.State.SUBMITTED,
        created=now,
        submitted=now,
    )
    submission = Submission.objects.create(assignment=assignment, created=now)
    _store(submission, ranks, seconds)
    return assignment


def revise(
    assignment: Assignment,
    ranks: Mapping[str, Sequence[int | None]],
    *,
    seconds: float | None = 60.0,
) -> None:
    """Store a revision of what `submit` returned."""
    number = assignment.submissions.count() + 1
    assignment.submissions.update(current=False)
    submission = assignment.submissions.create(number=number, created=timezone.now())
    _store(submission, ranks, seconds)


def _store(
    submission: Submission, ranks: Mapping[str, Sequence[int | None]], seconds: float | None
) -> None:
    sentence = submission.assignment.sentence
    for token_indices, of_segment in ranks.items():
        segment = Segment.objects.get(sentence=sentence, token_indices=token_indices)
        judgement = Judgement.objects.create(
            submission=submission, segment=segment, created=submission.created, seconds=seconds
        )
        candidates = segment.candidates.order_by("pk")
        for candidate, rank in zip(candidates, of_segment, strict=True):
            Placement.objects.create(
                judgement=judgement, candidate=candidate, rank=rank, ranks_offered=len(of_segment)
            )

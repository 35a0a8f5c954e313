"""Writing imported assignments and judgements."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.importing.resolving import Placements
from annotation.models import Assignment, Judgement, Placement, Project, User


@dataclass(frozen=True, slots=True)
class Submission:
    """What one annotator judged of one sentence at one time: to be one assignment."""

    sentence_id: int
    annotator: User
    created: datetime


@dataclass(frozen=True, slots=True)
class Resolved:
    """One judgement whose segment and candidates are known."""

    assignment_id: int
    segment_id: int
    created: datetime
    seconds: float | None
    placements: Placements


class Kinds:
    """Tells first assignments of sentences from repeats, as they come in order of time."""

    def __init__(self, project: Project) -> None:
        self.first: set[int] = set()
        self.given: set[tuple[int, int]] = set()
        for sentence_id, annotator_id, kind in Assignment.objects.filter(
            project=project
        ).values_list("sentence_id", "annotator_id", "kind"):
            self.given.add((sentence_id, annotator_id))
            if kind == Assignment.Kind.FIRST:
                self.first.add(sentence_id)

    def next(self, sentence_id: int, annotator: User) -> Assignment.Kind:
        """Return the kind of the annotator's next assignment of the sentence, and remember it."""
        # Who is not known may be anyone, so never counts as the same person again.
        before = (sentence_id, annotator.pk) in self.given and not annotator.unidentified
        self.given.add((sentence_id, annotator.pk))
        if sentence_id not in self.first:
            self.first.add(sentence_id)
            return Assignment.Kind.FIRST
        return Assignment.Kind.INTRA if before else Assignment.Kind.INTER


def store_assignments(project: Project, submissions: Iterable[Submission]) -> list[int]:
    """Store the submissions, which come in order of time, as assignments; return their ids."""
    kinds = Kinds(project)
    assignments = Assignment.objects.bulk_create(
        Assignment(
            project=project,
            sentence_id=submission.sentence_id,
            annotator=submission.annotator,
            kind=kinds.next(submission.sentence_id, submission.annotator),
            state=Assignment.State.SUBMITTED,
            created=submission.created,
            submitted=submission.created,
        )
        for submission in submissions
    )
    return [assignment.pk for assignment in assignments]


def store_judgements(page: list[Resolved]) -> None:
    """Store the judgements of a page with their placements."""
    judgements = Judgement.objects.bulk_create(
        Judgement(
            assignment_id=resolved.assignment_id,
            segment_id=resolved.segment_id,
            created=resolved.created,
            seconds=resolved.seconds,
        )
        for resolved in page
    )
    Placement.objects.bulk_create(
        Placement(
            judgement=judgement,
            candidate_id=candidate_id,
            rank=rank,
            ranks_offered=len(resolved.placements),
        )
        for judgement, resolved in zip(judgements, page, strict=True)
        for candidate_id, rank in resolved.placements.items()
    )

"""Writing imported assignments and judgements."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.import_export.imports.segment_matching import Placements
from annotation.models import Assignment, Judgement, Placement, Project, Submission, User


@dataclass(frozen=True, slots=True)
class SubmittedSentence:
    """What one annotator judged of one sentence at one time: to be one assignment."""

    sentence_id: int
    annotator: User
    created: datetime


@dataclass(frozen=True, slots=True)
class Resolved:
    """One judgement whose segment and candidates are known."""

    submission_id: int
    segment_id: int
    created: datetime
    seconds: float | None
    placements: Placements


class Kinds:
    """Tells first assignments of sentences from repeats, as they come in order of time."""

    def __init__(self, project: Project) -> None:
        self.slots = range(1, project.judges_per_sentence + 1)
        self.held: set[tuple[int, int | None]] = set()
        self.given: set[tuple[int, int]] = set()
        for sentence_id, annotator_id, slot in Assignment.objects.filter(
            project=project, state__in=Assignment.ACTIVE_STATES
        ).values_list("sentence_id", "annotator_id", "slot"):
            self.given.add((sentence_id, annotator_id))
            self.held.add((sentence_id, slot))

    def next(self, sentence_id: int, annotator: User) -> tuple[Assignment.Kind, int | None]:
        """Return kind and slot of the annotator's next assignment of the sentence.

        It is his from then on. Who judges a sentence again is never one judge more of it.
        """
        if (sentence_id, annotator.pk) in self.given:
            # Who is not known may be anyone, so never counts as the same person again.
            known = not annotator.unidentified
            return (Assignment.Kind.INTRA if known else Assignment.Kind.INTER), None
        self.given.add((sentence_id, annotator.pk))
        slot = next((slot for slot in self.slots if (sentence_id, slot) not in self.held), None)
        if slot is None:
            return Assignment.Kind.INTER, None
        self.held.add((sentence_id, slot))
        return Assignment.Kind.FIRST, slot


def store_submissions(project: Project, submitted: Iterable[SubmittedSentence]) -> list[int]:
    """Store what was submitted, in order of time, as an assignment each; return submission ids."""
    kinds = Kinds(project)
    assignments = Assignment.objects.bulk_create(
        _assignment(project, one, *kinds.next(one.sentence_id, one.annotator)) for one in submitted
    )
    submissions = Submission.objects.bulk_create(
        Submission(assignment=assignment, created=assignment.created) for assignment in assignments
    )
    return [submission.pk for submission in submissions]


def _assignment(
    project: Project, submitted: SubmittedSentence, kind: Assignment.Kind, slot: int | None
) -> Assignment:
    return Assignment(
        project=project,
        sentence_id=submitted.sentence_id,
        annotator=submitted.annotator,
        kind=kind,
        slot=slot,
        state=Assignment.State.SUBMITTED,
        created=submitted.created,
        submitted=submitted.created,
    )


def store_judgements(page: list[Resolved]) -> None:
    """Store the judgements of a page with their placements."""
    judgements = Judgement.objects.bulk_create(
        Judgement(
            submission_id=resolved.submission_id,
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

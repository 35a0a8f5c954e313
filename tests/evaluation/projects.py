"""Store judgements directly in the tables."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from annotation.models import (
    Assignment,
    Control,
    Judgement,
    Placement,
    Project,
    Segment,
    Sentence,
    ShownCandidate,
    Submission,
    User,
)
from tests.factories import make_annotator, make_project

LABELLED_SENTENCES = 12


def submit(
    project: Project,
    annotator: User,
    number: int,
    ranks: Mapping[str, Sequence[int | None]],
    *,
    seconds: float | None = 60.0,
    steps: int | None = None,
) -> Assignment:
    """Store the annotator's ranks of candidates by segment; None is garbage.

    The candidates are in the order in which the project got them. With `steps`, ranks are those of
    a scale.
    """
    sentence = project.sentences.get(number=number, purpose=Sentence.Purpose.JUDGE)
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
    _store(submission, ranks, seconds, steps)
    return assignment


def show(assignment: Assignment, positions: Mapping[str, Sequence[int]]) -> None:
    """Store the places of the candidates of each segment, in the order of `submit`."""
    for token_indices, of_segment in positions.items():
        segment = Segment.objects.get(sentence=assignment.sentence, token_indices=token_indices)
        for candidate, position in zip(segment.candidates.order_by("pk"), of_segment, strict=True):
            ShownCandidate.objects.create(
                assignment=assignment, candidate=candidate, position=position
            )


def submit_control(project: Project, annotator: User, number: int, *, passes: bool) -> Assignment:
    """Store ranks of a control sentence: all candidates but the changed one have rank 1."""
    sentence = project.sentences.get(number=number, purpose=Sentence.Purpose.CONTROL)
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=Assignment.Kind.CONTROL,
        state=Assignment.State.SUBMITTED,
        created=now,
        submitted=now,
    )
    submission = Submission.objects.create(assignment=assignment, created=now)
    _store(submission, _ranks_of_control(sentence, passes=passes), 60.0)
    return assignment


def revise_control(assignment: Assignment, *, passes: bool) -> None:
    """Store a revision of what `submit_control` returned."""
    revise(assignment, _ranks_of_control(assignment.sentence, passes=passes))


def _ranks_of_control(sentence: Sentence, *, passes: bool) -> dict[str, list[int | None]]:
    control = Control.objects.get(segment__sentence=sentence)
    below = passes == (control.kind == Control.Kind.DEGRADED)
    return {
        segment.token_indices: [
            2 if below and candidate == control.changed else 1
            for candidate in segment.candidates.order_by("pk")
        ]
        for segment in sentence.segments.order_by("pk")
    }


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
    submission: Submission,
    ranks: Mapping[str, Sequence[int | None]],
    seconds: float | None,
    steps: int | None = None,
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
                judgement=judgement,
                candidate=candidate,
                rank=rank,
                ranks_offered=steps or len(of_segment),
            )


def labelled_project(kind: str, steps: int) -> Project:
    """Return a project in which jana and petr answer alike, and eva the other way round."""
    segment = "0 1 2"
    project = make_project(
        kind=kind, sentences=LABELLED_SENTENCES, segments={segment: ("dům", "domek")}
    )
    for name in ("jana", "petr", "eva"):
        annotator = make_annotator(project, name)
        for number in range(1, LABELLED_SENTENCES + 1):
            answers = [1 + number % 2, steps - number % 3 // 2]
            if name == "eva":
                answers.reverse()
            made = submit(project, annotator, number, {segment: answers}, steps=steps)
            show(made, {segment: [1, 2]})
    return project

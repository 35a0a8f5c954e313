"""Judge what comes next, as an annotator who ranks candidates by the alphabet."""

from collections.abc import Mapping

from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Project, User
from tests.factories import next_assignment


def judge(annotator: User, project: Project) -> tuple[Assignment, list[set[str]]] | None:
    """Judge what comes next; return it with the candidates that were shown, by segment."""
    assignment = next_assignment(annotator=annotator, project=project)
    if assignment is None:
        return None
    submit_all(assignment)
    shown = [{card.text for card in segment.cards} for segment in sheet(assignment).segments]
    return assignment, shown


def submit_all(assignment: Assignment) -> None:
    page = sheet(assignment)
    choices: Mapping[str, int | None] = {
        card.key: place
        for segment in page.segments
        for place, card in enumerate(sorted(segment.cards, key=lambda card: card.text), start=1)
    }
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=choices,
    )

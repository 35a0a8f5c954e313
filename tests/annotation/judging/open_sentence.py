"""A sentence that an annotator has open, and how she hands it in."""

import pytest

from annotation.judging.assignment import next_assignment
from annotation.judging.sheet import Sheet, sheet
from annotation.judging.submission import SubmissionResult, submit
from annotation.models import Assignment, Project, User
from tests.factories import make_annotator, make_project


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def assignment(project: Project, jana: User) -> Assignment:
    given = next_assignment(annotator=jana, project=project)
    assert given
    return given


def all_placed(page: Sheet) -> dict[str, int | None]:
    return {
        card.key: place
        for segment in page.segments
        for card, place in zip(segment.cards, (1, None, 1), strict=False)
    }


def hand_in(assignment: Assignment, **more: object) -> SubmissionResult:
    page = sheet(assignment)
    return submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=all_placed(page),
        **more,  # type: ignore[arg-type]
    )

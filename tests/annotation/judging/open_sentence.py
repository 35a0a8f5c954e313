"""An open sentence of an annotator, and its submission."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.judging.sheet import Sheet, sheet
from annotation.judging.submission import SubmissionResult, submit
from annotation.models import Assignment, Project, User
from tests.factories import assign_next, make_annotator, make_project


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def assignment(project: Project, jana: User) -> Assignment:
    given = assign_next(jana, project)
    return given


def all_placed(page: Sheet) -> dict[str, int | None]:
    return {
        card.key: place
        for segment in page.segments
        for card, place in zip(segment.cards, (1, None, 1), strict=False)
    }


def submit_sentence(assignment: Assignment, **changes: Any) -> SubmissionResult:
    """Submit what `all_placed` returns as the page would, except for the `changes`."""
    page = sheet(assignment)
    arguments: dict[str, Any] = {
        "annotator": assignment.annotator,
        "project": assignment.project,
        "assignment_id": assignment.pk,
        "token": page.token,
        "choices": all_placed(page),
    }
    return submit(**arguments | changes)


def submit_on_one_rank(
    assignment: Assignment, rank: int = 1, store: Callable[..., SubmissionResult] = submit
) -> None:
    """Submit, or `revise`, the assignment with all candidates on one rank."""
    page = sheet(assignment)
    store(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices={card.key: rank for segment in page.segments for card in segment.cards},
    )

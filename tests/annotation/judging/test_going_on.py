"""Returned assignments with a draft: when annotators may continue them, and when not."""

import pytest

from annotation.judging.assignment import release
from annotation.judging.drafts import save_draft
from annotation.judging.errors import NotAvailable
from annotation.judging.practice import answer_sheet, make_practice, retire
from annotation.models import Assignment, Project, Sentence, User
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=4, queue_order="document")


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def practice(project: Project, number: int) -> Sentence:
    page = answer_sheet(project.sentences.get(purpose="judge", number=number), project)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    return make_practice(project=project, number=number, choices=choices, explanations={})


def given(annotator: User, project: Project, *, practise: bool = False) -> Assignment:
    assignment = next_assignment(annotator=annotator, project=project, practise=practise)
    assert assignment
    return assignment


def begin(assignment: Assignment) -> None:
    save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=0,
        choices={"1-1": 1},
        active_seconds=1,
    )


def test_a_practice_sentence_assigned_twice_is_done_once(project: Project, jana: User) -> None:
    practice(project, 1)
    one = given(jana, project, practise=True)
    release(project=project, assignment_id=one.pk)
    other = given(jana, project, practise=True)
    assert other.sentence == one.sentence
    with pytest.raises(NotAvailable):
        begin(one)
    submit_on_one_rank(other)
    assert given(jana, project).kind == "first"
    with pytest.raises(NotAvailable):
        submit_on_one_rank(one)


def test_a_practice_sentence_is_not_reopened_for_judging(project: Project, jana: User) -> None:
    first = given(jana, project)
    begin(first)
    release(project=project, assignment_id=first.pk)
    practice(project, first.sentence.number)
    assert given(jana, project).sentence != first.sentence
    with pytest.raises(NotAvailable):
        submit_on_one_rank(first)


def test_required_practice_comes_before_a_begun_sentence(project: Project, jana: User) -> None:
    first = given(jana, project)
    begin(first)
    release(project=project, assignment_id=first.pk)
    practice(project, 3)
    Project.objects.update(practice_required=True)
    project.refresh_from_db()
    now = given(jana, project)
    assert now.kind == "practice"
    submit_on_one_rank(now)
    assert given(jana, project) == first


def test_a_retired_practice_sentence_is_not_reopened(project: Project, jana: User) -> None:
    made = practice(project, 1)
    begun = given(jana, project, practise=True)
    begin(begun)
    release(project=project, assignment_id=begun.pk)
    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=made.number, retired=True)
    assert given(jana, project).kind == "first"

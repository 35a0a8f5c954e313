"""Placements that are saved before they are submitted."""

import pytest

from annotation.judging.assignment import release
from annotation.judging.drafts import Conflict, SavedDraft, draft_of, save_draft
from annotation.judging.errors import AlreadySubmitted, InvalidJudgement, NotAssigned, NotAvailable
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Project
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(lease_minutes=60)


@pytest.fixture
def assignment(project: Project) -> Assignment:
    given = next_assignment(annotator=make_annotator(project), project=project)
    assert given
    return given


def stored(assignment: Assignment) -> SavedDraft:
    return draft_of(Assignment.objects.get(pk=assignment.pk))


def save(
    assignment: Assignment, base: int, choices: dict[str, int | str], active: float = 0.0
) -> int:
    return save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=base,
        choices=choices,
        active_seconds=active,
    )


def test_it_stores_and_returns_a_draft(assignment: Assignment) -> None:
    assert stored(assignment) == SavedDraft(0, {}, 0.0)
    assert save(assignment, 0, {"1-1": 2, "2-1": "garbage"}, active=3.5) == 1
    assert stored(assignment) == SavedDraft(1, {"1-1": 2, "2-1": "garbage"}, 3.5)
    assert save(assignment, 1, {"2-1": 2, "1-1": 1}, active=2.0) == 2
    assert stored(assignment) == SavedDraft(2, {"1-1": 1, "2-1": 2}, 3.5)


def test_comments_are_part_of_a_draft(assignment: Assignment) -> None:
    def comment(base: int, text: str) -> int:
        return save_draft(
            annotator=assignment.annotator,
            project=assignment.project,
            assignment_id=assignment.pk,
            base=base,
            choices={},
            comments={"2": text},
        )

    assert comment(0, "unclear") == 1
    assert stored(assignment).comments == {"2": "unclear"}
    with pytest.raises(Conflict):
        comment(0, "another")
    with pytest.raises(InvalidJudgement):
        comment(1, "x" * 1001)


def test_it_refuses_a_draft_with_an_older_base(assignment: Assignment) -> None:
    save(assignment, 0, {"1-1": 1})
    save(assignment, 1, {"1-1": 2})
    with pytest.raises(Conflict) as conflict:
        save(assignment, 1, {"1-1": 3})
    assert conflict.value.current == SavedDraft(2, {"1-1": 2}, 0.0)
    assert stored(assignment).choices == {"1-1": 2}


def test_saving_the_same_again_is_no_conflict(assignment: Assignment) -> None:
    first = save(assignment, 0, {"1-1": 1})
    # The answer to the first was lost on its way, so the page says it all again.
    assert save(assignment, 0, {"1-1": 1}) == first


def test_a_returned_assignment_keeps_its_draft(assignment: Assignment, project: Project) -> None:
    save(assignment, 0, {"1-1": 1})
    release(project=project, assignment_id=assignment.pk)
    assert save(assignment, 1, {"1-1": 1, "1-2": 2}) == 2


def test_the_first_draft_after_another_got_the_sentence_is_stored_and_says_so(
    project: Project,
) -> None:
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    hers = assign_next(jana, project)
    release(project=project, assignment_id=hers.pk)
    his = assign_next(petr, project)
    Assignment.objects.filter(pk=his.pk).update(sentence=hers.sentence)
    with pytest.raises(NotAvailable):
        save(hers, 0, {"1-1": 1})
    hers.refresh_from_db()
    assert stored(hers).choices == {"1-1": 1}


def test_a_begun_sentence_is_reopened_while_it_is_free(
    assignment: Assignment, project: Project
) -> None:
    save(assignment, 0, {"1-1": 1})
    release(project=project, assignment_id=assignment.pk)
    again = next_assignment(annotator=assignment.annotator, project=project)
    assert again == assignment
    assert stored(again).choices == {"1-1": 1}


def test_a_begun_sentence_that_another_has_is_not_reopened(project: Project) -> None:
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    hers = assign_next(jana, project)
    save(hers, 0, {"1-1": 1})
    release(project=project, assignment_id=hers.pk)
    his = assign_next(petr, project)
    Assignment.objects.filter(pk=his.pk).update(sentence=hers.sentence)
    other = assign_next(jana, project)
    assert other.sentence != hers.sentence
    # Her work is there still.
    assert stored(hers).choices == {"1-1": 1}


def test_submitting_deletes_the_draft(assignment: Assignment) -> None:
    save(assignment, 0, {"1-1": 1})
    page = sheet(assignment)
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices={card.key: 1 for segment in page.segments for card in segment.cards},
    )
    assert stored(assignment) == SavedDraft(0, {}, 0.0)
    with pytest.raises(AlreadySubmitted):
        save(assignment, 1, {"1-1": 1})


@pytest.mark.parametrize(
    "choices", [{"9-9": 1}, {"1-1": 0}, {"1-1": "2"}, {"1-1": None}, {"1-1": 1.5}]
)
def test_it_refuses_invalid_placements(
    assignment: Assignment, choices: dict[str, int | str]
) -> None:
    with pytest.raises(InvalidJudgement):
        save(assignment, 0, choices)
    assert stored(assignment) == SavedDraft(0, {}, 0.0)


def test_it_refuses_another_annotators_assignment(assignment: Assignment, project: Project) -> None:
    petr = make_annotator(project, "petr")
    with pytest.raises(NotAssigned):
        save_draft(
            annotator=petr,
            project=project,
            assignment_id=assignment.pk,
            base=0,
            choices={"1-1": 1},
        )

"""What is handed in and not stored, and what the tables themselves refuse."""

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.assignment import next_assignment, release, skip
from annotation.judging.errors import InvalidJudgement, NotAssigned, NotAvailable
from annotation.judging.sheet import Sheet, sheet
from annotation.judging.submission import revise, submit
from annotation.models import Assignment, Judgement, Membership, Placement, Project, User
from tests.annotation.judging.open_sentence import all_placed, assignment, hand_in, jana, project
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["assignment", "jana", "project"]

pytestmark = pytest.mark.django_db


def broken(page: Sheet, how: str) -> dict[str, int | None]:
    choices = all_placed(page)
    first = page.segments[0].cards[0].key
    match how:
        case "missing":
            del choices[first]
        case "foreign":
            choices["3-1"] = 1
        case "zero":
            choices[first] = 0
        case "beyond":
            choices[first] = 4
        case "empty":
            choices = {}
    return choices


@pytest.mark.parametrize("how", ["missing", "foreign", "zero", "beyond", "empty"])
def test_it_refuses_what_does_not_cover_the_candidates(
    assignment: Assignment, jana: User, how: str
) -> None:
    page = sheet(assignment)
    with pytest.raises(InvalidJudgement):
        submit(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=broken(page, how),
        )
    assignment.refresh_from_db()
    assert assignment.state == "open"
    assert not Judgement.objects.exists()
    assert not Placement.objects.exists()


def test_it_refuses_another_annotators_assignment(assignment: Assignment, project: Project) -> None:
    petr = make_annotator(project, "petr")
    page = sheet(assignment)
    with pytest.raises(NotAssigned):
        submit(
            annotator=petr,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=all_placed(page),
        )
    assert not Judgement.objects.exists()


def test_it_refuses_those_who_are_members_no_more(
    assignment: Assignment, jana: User, project: Project
) -> None:
    page = sheet(assignment)
    Membership.objects.all().delete()
    with pytest.raises(NotAssigned):
        submit(
            annotator=jana,
            project=project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=all_placed(page),
        )


def test_it_refuses_an_assignment_of_another_project(assignment: Assignment, jana: User) -> None:
    other = make_project("castles")
    Membership.objects.create(user=jana, project=other, role="annotator")
    page = sheet(assignment)
    with pytest.raises(NotAssigned):
        submit(
            annotator=jana,
            project=other,
            assignment_id=assignment.pk,
            token=page.token,
            choices=all_placed(page),
        )


def test_it_refuses_a_token_that_is_none(assignment: Assignment, jana: User) -> None:
    page = sheet(assignment)
    with pytest.raises(InvalidJudgement):
        submit(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token="again",
            choices=all_placed(page),
        )


@pytest.mark.parametrize(("rank", "offered"), [(0, 3), (4, 3)])
def test_the_database_refuses_a_rank_out_of_range(
    assignment: Assignment, jana: User, rank: int, offered: int
) -> None:
    page = sheet(assignment)
    submit(
        annotator=jana,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=all_placed(page),
    )
    placement = Placement.objects.first()
    assert placement
    placement.rank, placement.ranks_offered = rank, offered
    with pytest.raises(IntegrityError), transaction.atomic():
        placement.save()


def test_the_database_refuses_a_second_placement_of_a_candidate(
    assignment: Assignment, jana: User
) -> None:
    page = sheet(assignment)
    submit(
        annotator=jana,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=all_placed(page),
    )
    placement = Placement.objects.first()
    assert placement
    placement.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        placement.save()


def test_the_database_refuses_two_open_assignments(
    assignment: Assignment, jana: User, project: Project
) -> None:
    other = project.sentences.exclude(pk=assignment.sentence_id)[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            project=project,
            sentence=other,
            annotator=jana,
            kind="first",
            slot=1,
            lease_until=assignment.lease_until,
            created=assignment.created,
        )


# --- what was given back -----------------------------------------------------------------------


def test_what_somebody_else_has_meanwhile_is_refused_and_stored_nowhere(jana: User) -> None:
    project = make_project("one", sentences=1)
    make_annotator_of = make_annotator(project, "petr")
    Membership.objects.create(user=jana, project=project, role="annotator")
    hers = next_assignment(annotator=jana, project=project)
    assert hers
    release(project=project, assignment_id=hers.pk)
    his = next_assignment(annotator=make_annotator_of, project=project)
    assert his
    with pytest.raises(NotAvailable):
        hand_in(hers)
    hand_in(his)
    with pytest.raises(NotAvailable):
        hand_in(hers)
    assert Judgement.objects.count() == 2


def test_what_was_skipped_is_not_handed_in(
    assignment: Assignment, jana: User, project: Project
) -> None:
    skip(annotator=jana, project=project, assignment_id=assignment.pk, reason="technical")
    with pytest.raises(NotAvailable):
        hand_in(assignment)


# --- revisions ---------------------------------------------------------------------------------


def test_what_was_not_submitted_cannot_be_revised(assignment: Assignment, jana: User) -> None:
    page = sheet(assignment)
    with pytest.raises(NotAvailable):
        revise(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=all_placed(page),
        )

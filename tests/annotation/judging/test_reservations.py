"""Sentences that are reserved for an annotator, and annotators who are paused."""

import pytest

from annotation.common.exceptions import NotPossible
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import release, skip
from annotation.judging.queue import reserved_sentences
from annotation.judging.reservations import (
    AssignedSentences,
    CannotBeJudged,
    assign_sentences,
    withdraw_sentences,
)
from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.projects.administration import pause_member, remove_member, resume_member
from annotation.projects.deletion import delete_project
from annotation.selectors.annotator_progress import remaining_sentences, statuses_of
from annotation.selectors.members import reserved_numbers
from annotation.selectors.project_progress import submitted_of
from tests.annotation.import_export.exchange_files import draft
from tests.annotation.judging.judged_next import judge, submit_all
from tests.annotation.judging.practice_setting import practise_with
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=6)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def boss(project: Project) -> User:
    return make_annotator(project, "boss", "owner")


def judged_numbers(annotator: User, project: Project, count: int) -> list[int]:
    found = [judge(annotator, project) for _number in range(count)]
    return [each[0].sentence.number for each in found if each]


def test_reserved_sentences_come_first(project: Project, jana: User, boss: User) -> None:
    assert assign_sentences(project=project, by=boss, annotator=jana, numbers=[5, 2]).new == 2
    assert assign_sentences(project=project, by=boss, annotator=jana, numbers=[2, 4]).new == 1

    assert judged_numbers(jana, project, 3) == [2, 4, 5]
    assert sorted(judged_numbers(jana, project, 6)) == [1, 3, 6]
    assert reserved_numbers(project, jana.pk) == [2, 4, 5]


def test_a_skipped_sentence_comes_again_and_a_judged_one_is_left_out(
    project: Project, jana: User, boss: User
) -> None:
    judged = judged_numbers(jana, project, 1)
    skipped = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=skipped.pk, reason="unclear")
    number = skipped.sentence.number
    fresh = min({1, 2, 3} - {*judged, number})
    pause_member(project=project, by=boss, user_id=jana.pk)
    Membership.objects.filter(user=jana).update(sentence_limit=1)

    assigned = assign_sentences(
        project=project, by=boss, annotator=jana, numbers=[*judged, number, fresh]
    )

    assert assigned == AssignedSentences(1, again=1, judged=1, paused=True, reached_limit=True)
    resume_member(project=project, by=boss, user_id=jana.pk)
    Membership.objects.filter(user=jana).update(sentence_limit=None)
    assert judged_numbers(jana, project, 2) == sorted([number, fresh])
    skipped.refresh_from_db()
    assert skipped.skip.reason == "unclear"


def test_a_sentence_with_enough_judges_gets_one_more(
    project: Project, jana: User, boss: User
) -> None:
    judged_numbers(boss, project, 6)
    assert not statuses_of(jana)[0].may_have_more
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[3])
    assert statuses_of(jana)[0].may_have_more

    found = judge(jana, project)

    assert not statuses_of(jana)[0].may_have_more
    assert found
    assert (found[0].sentence.number, found[0].kind, found[0].slot) == (3, "first", 2)
    assert next_assignment(annotator=jana, project=project) is None
    assert submitted_of(project) == (6, 6)


def test_reserved_sentences_with_enough_judges_are_left(
    project: Project, jana: User, boss: User
) -> None:
    Project.objects.update(intra_rate=0, inter_rate=0)
    project.refresh_from_db()
    done = judged_numbers(boss, project, 4)
    # The third needs a judge too, and counts once.
    numbers = [*done[:2], min({1, 2, 3, 4, 5, 6} - set(done))]
    assign_sentences(project=project, by=boss, annotator=jana, numbers=numbers)

    left = []
    while given := next_assignment(annotator=jana, project=project):
        member = load_annotator(jana, project.pk)
        assert member
        left.append(remaining_sentences(member, given, 6))
        submit_all(given)

    assert left == [4, 3, 2, 1]


def test_a_reserved_sentence_that_was_begun_is_reopened(
    project: Project, jana: User, boss: User
) -> None:
    judged_numbers(boss, project, 6)
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[3])
    assignment = assign_next(jana, project)
    draft(assignment)
    release(project=project, assignment_id=assignment.pk)

    assert assign_next(jana, project) == assignment
    release(project=project, assignment_id=assignment.pk)
    submit_all(assignment)


def test_what_is_skipped_or_judged_is_not_assigned_again(
    project: Project, jana: User, boss: User
) -> None:
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[1, 2])
    judge(jana, project)
    second = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=second.pk, reason="other")

    assert second.sentence.number == 2
    assert not reserved_sentences(jana, project).exists()
    assert assign_next(jana, project).sentence.number > 2


def test_a_reservation_is_withdrawn(project: Project, jana: User, boss: User) -> None:
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[5, 6])

    assert withdraw_sentences(project=project, by=boss, annotator=jana, numbers=[5, 1]) == 1

    assert reserved_numbers(project, jana.pk) == [6]
    remove_member(project=project, by=boss, user_id=jana.pk)
    assert reserved_numbers(project, jana.pk) == []


def test_it_refuses_sentences_and_people(project: Project, jana: User, boss: User) -> None:
    practise_with(project, 1)
    project.sentences.filter(purpose="judge", number=2).update(excluded=True)
    for number in (1, 2, 7):
        with pytest.raises(CannotBeJudged) as refused:
            assign_sentences(project=project, by=boss, annotator=jana, numbers=[3, number])
        assert refused.value.number == number
    observer = make_annotator(project, "eva", "observer")
    with pytest.raises(NotPossible):
        assign_sentences(project=project, by=boss, annotator=observer, numbers=[3])
    assert not Reservation.objects.exists()


def test_a_project_is_deleted_with_its_reservations(
    project: Project, jana: User, boss: User
) -> None:
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[1])

    delete_project(project)

    assert not Reservation.objects.exists()


def test_a_paused_annotator_gets_no_new_sentence(project: Project, jana: User, boss: User) -> None:
    assignment = assign_next(jana, project)
    pause_member(project=project, by=boss, user_id=jana.pk)

    assert assign_next(jana, project) == assignment
    submit_all(assignment)
    assert next_assignment(annotator=jana, project=project) is None
    assert next_assignment(annotator=jana, project=project, practise=True) is None
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    resume_member(project=project, by=boss, user_id=jana.pk)
    assert assign_next(jana, project)
    for change in (pause_member, resume_member):
        with pytest.raises(NotPossible):
            change(project=make_project(change.__name__), by=boss, user_id=jana.pk)

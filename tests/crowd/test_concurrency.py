"""Many participants and tabs at once."""

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from time import monotonic

import pytest
from django.db import connection, transaction
from django.test import Client

from annotation.judging.assignment import NotAMember
from annotation.judging.errors import JudgingError
from annotation.models import Assignment, Membership, User
from crowd.anonymisation import anonymise
from crowd.models import Participant, StartLink
from crowd.participants import arrive
from tests.crowd.coming import PID, make_link, path_of, submit_sentence
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

AT_ONCE, PEOPLE = 12, 40


def press(link: StartLink, participant: str) -> int:
    try:
        return Client().post(path_of(link, participant)).status_code
    finally:
        connection.close()


def test_one_person_in_many_windows_gets_one_account():
    link = make_link(make_project())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(press, [link] * AT_ONCE, [PID] * AT_ONCE))
    assert answers == [302] * AT_ONCE
    assert Participant.objects.count() == User.objects.count() == Membership.objects.count() == 1


def test_many_people_start_at_once():
    link = make_link(make_project())

    def time_press(participant: str) -> tuple[int, float]:
        began = monotonic()
        return press(link, participant), monotonic() - began

    with ThreadPoolExecutor(AT_ONCE) as pool:
        people = [f"person{number}" for number in range(PEOPLE)]
        answers, seconds = zip(*pool.map(time_press, people), strict=True)
    assert answers == (302,) * PEOPLE
    assert Participant.objects.count() == PEOPLE
    # No request waits for the lock timeout of SQLite, 20 seconds.
    assert max(seconds) < 20


def test_no_more_participants_start_than_allowed():
    link = make_link(make_project(), most_participants=3)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        people = [f"person{number}" for number in range(AT_ONCE)]
        answers = list(pool.map(press, [link] * AT_ONCE, people))
    assert sorted(answers) == [302] * 3 + [403] * (AT_ONCE - 3)
    assert Participant.objects.count() == User.objects.count() == 3


def work(arguments: tuple[User, int]) -> None:
    """Act as a tab that submits all sentences it gets, also those of other tabs."""
    annotator, project = arguments
    try:
        where = Membership.objects.get(user=annotator, project=project).project
        while given := next_assignment(annotator=annotator, project=where):
            try:
                submit_sentence(given)
            except JudgingError:
                # Another tab was faster.
                continue
    finally:
        connection.close()


@pytest.mark.parametrize("most", [1, 7])
def test_a_limit_is_exact_in_many_tabs(most):
    project = make_project(sentences=20, intra_rate=0.2, numbered=True)
    jana = make_annotator(project)
    Membership.objects.update(sentence_limit=most)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(work, [(jana, project.pk)] * AT_ONCE))
    assert Assignment.objects.filter(state="submitted").count() == most
    assert not Assignment.objects.filter(state="open").exists()


def test_participants_who_arrive_together_get_different_sentences():
    project = make_project(sentences=AT_ONCE, numbered=True)
    link = make_link(project, sentences=1)

    def begin(participant: str) -> None:
        try:
            user = arrive(link=link, participant_id=participant, visit="").user
            given = assign_next(user, project)
            submit_sentence(given)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(begin, [f"person{number}" for number in range(AT_ONCE)]))
    judged = Assignment.objects.filter(state="submitted")
    assert judged.values("sentence").distinct().count() == AT_ONCE


def anonymise_elsewhere(user: User) -> None:
    try:
        anonymise(user, typed_name=user.username)
    finally:
        connection.close()


@pytest.mark.parametrize("most", [None, 7])
@pytest.mark.parametrize("begun", [False, True])
def test_no_sentence_stays_open_for_an_account_that_is_anonymised_meanwhile(begun, most):
    project = make_project()
    jana = make_annotator(project)
    Membership.objects.update(sentence_limit=most)
    if begun:
        # A sentence with a draft is opened again instead of another.
        given = assign_next(jana, project)
        Assignment.objects.update(state="returned", draft_version=1, draft_saved=given.created)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            assert assign_next(jana, project).state == Assignment.State.OPEN
            anonymised = pool.submit(anonymise_elsewhere, jana)
            wait([anonymised], timeout=0.5)
        anonymised.result()
    assert Assignment.objects.get().state == Assignment.State.RETURNED


@pytest.mark.parametrize("most", [None, 7])
def test_no_sentence_is_opened_for_an_account_that_is_being_anonymised(most):
    project = make_project()
    jana = make_annotator(project)
    Membership.objects.update(sentence_limit=most)
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            anonymise(jana, typed_name="jana")
            assigned = pool.submit(work, (jana, project.pk))
            wait([assigned], timeout=0.5)
        with suppress(NotAMember, Membership.DoesNotExist):
            assigned.result()
    assert not Assignment.objects.exists()

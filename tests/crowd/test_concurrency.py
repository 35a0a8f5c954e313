"""Many at once: on SQLite, and on PostgreSQL when the tests run there."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import pytest
from django.db import connection
from django.test import Client

from annotation.judging.assignment import next_assignment
from annotation.judging.errors import JudgingError
from annotation.models import Assignment, Membership, User
from crowd.models import Participant, StartLink
from crowd.participants import arrive
from tests.crowd.coming import PID, hand_in, make_link, path_of
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE, PEOPLE = 20, 200


def press(link: StartLink, participant: str) -> int:
    try:
        return Client().post(path_of(link, participant)).status_code
    finally:
        connection.close()


def test_one_person_in_many_windows_at_once_has_one_account():
    link = make_link(make_project())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(press, [link] * AT_ONCE, [PID] * AT_ONCE))
    assert answers == [302] * AT_ONCE
    assert Participant.objects.count() == User.objects.count() == Membership.objects.count() == 1


def test_many_people_start_at_once():
    link = make_link(make_project())
    began = monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        people = [f"person{number}" for number in range(PEOPLE)]
        answers = list(pool.map(press, [link] * PEOPLE, people))
    assert answers == [302] * PEOPLE
    assert Participant.objects.count() == PEOPLE
    # Nobody may wait for the time that a lock is waited for: 20 seconds on SQLite.
    assert monotonic() - began < 20


def test_no_more_start_at_once_than_there_are_places():
    link = make_link(make_project(), most_participants=3)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        people = [f"person{number}" for number in range(AT_ONCE)]
        answers = list(pool.map(press, [link] * AT_ONCE, people))
    assert sorted(answers) == [302] * 3 + [403] * (AT_ONCE - 3)
    assert Participant.objects.count() == User.objects.count() == 3


def work(arguments: tuple[User, int]) -> None:
    """Be a tab that takes whatever is given, and hands in what other tabs took as well."""
    annotator, project = arguments
    try:
        where = Membership.objects.get(user=annotator, project=project).project
        while given := next_assignment(annotator=annotator, project=where):
            try:
                hand_in(given)
            except JudgingError:
                # Another tab was faster.
                continue
    finally:
        connection.close()


@pytest.mark.parametrize("most", [1, 7])
def test_a_quota_is_exact_in_many_tabs_at_once(most):
    project = make_project(sentences=60, intra_rate=0.2, numbered=True)
    jana = make_annotator(project)
    Membership.objects.update(most_sentences=most)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(work, [(jana, project.pk)] * AT_ONCE))
    assert Assignment.objects.filter(state="submitted").count() == most
    assert not Assignment.objects.filter(state="open").exists()


def test_who_arrives_while_the_project_is_judged_gets_a_sentence_each():
    project = make_project(sentences=AT_ONCE, numbered=True)
    link = make_link(project, sentences=1)

    def begin(participant: str) -> None:
        try:
            user = arrive(link=link, participant_id=participant, visit="").user
            given = next_assignment(annotator=user, project=project)
            assert given
            hand_in(given)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(begin, [f"person{number}" for number in range(AT_ONCE)]))
    judged = Assignment.objects.filter(state="submitted")
    assert judged.values("sentence").distinct().count() == AT_ONCE

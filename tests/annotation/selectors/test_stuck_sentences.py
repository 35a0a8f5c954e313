"""Sentences that need a judge, and that no annotator is left to judge."""

import pytest

from annotation.judging.assignment import skip
from annotation.judging.reservations import assign_sentences
from annotation.models import Assignment, Membership, Project, User
from annotation.selectors.stuck_sentences import stuck_sentences
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    """A project with two sentences, two annotators, and an administrator who does not judge."""
    project = make_project(sentences=2, queue_order="document", judges_per_sentence=2)
    for name in ("jana", "petr"):
        make_annotator(project, name)
    make_annotator(project, "boss", "administrator")
    return project


def skip_next(project: Project, name: str) -> None:
    person = User.objects.get(username=name)
    given = assign_next(person, project)
    skip(annotator=person, project=project, assignment_id=given.pk, reason="unclear")


def numbers(project: Project) -> list[int]:
    return sorted(stuck_sentences(project).values_list("number", flat=True))


def test_a_sentence_is_stuck_when_all_annotators_have_skipped_it(project: Project) -> None:
    skip_next(project, "jana")
    assert numbers(project) == []
    skip_next(project, "petr")
    assert numbers(project) == [1]
    # An administrator who has begun to judge can get it.
    given = assign_next(User.objects.get(username="boss"), project)
    Assignment.objects.filter(pk=given.pk).update(state="returned", lease_until=None)
    assert numbers(project) == []


def test_it_is_not_when_it_is_assigned_again(project: Project) -> None:
    for name in ("jana", "petr"):
        skip_next(project, name)
    jana, boss = (User.objects.get(username=name) for name in ("jana", "boss"))
    assign_sentences(project=project, by=boss, annotator=jana, numbers=[1])
    assert numbers(project) == []


@pytest.mark.parametrize("change", [{"paused": True}, {"sentence_limit": 1}, {}])
def test_people_who_get_no_sentence_do_not_count(
    project: Project, change: dict[str, object]
) -> None:
    skip_next(project, "jana")
    petr = User.objects.get(username="petr")
    assign_next(petr, project)
    Membership.objects.filter(user=petr).update(**change)
    if not change:
        User.objects.filter(pk=petr.pk).update(is_active=False)
    # Jana can still get the second one.
    assert numbers(project) == [1]
    Assignment.objects.update(state="returned", lease_until=None)
    assert numbers(project) == []


def test_a_sentence_with_all_its_judges_is_not_stuck(project: Project) -> None:
    for name in ("jana", "petr"):
        assign_next(User.objects.get(username=name), project)
    Membership.objects.update(paused=True)
    assert numbers(project) == [2]


def test_without_annotators_nothing_is_stuck() -> None:
    project = make_project(sentences=2)
    make_annotator(project, "boss", "owner")
    assert numbers(project) == []

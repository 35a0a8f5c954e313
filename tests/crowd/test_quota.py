"""The limit of sentences for a member."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.assignment import skip
from annotation.judging.control_items import make_controls
from annotation.judging.drafts import save_draft
from annotation.judging.errors import NotAvailable
from annotation.judging.sheet import cards_of
from annotation.models import Assignment, Membership, Project, User
from annotation.selectors.annotator_progress import statuses_of
from tests.annotation.judging.practice_setting import practise_with
from tests.crowd.coming import judge, submit_sentence
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=12, numbered=True)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def ask_for(most: int | None) -> None:
    Membership.objects.update(sentence_limit=most)


def test_a_member_is_assigned_sentences_up_to_the_limit(project, jana):
    ask_for(3)
    assert judge(jana, project) == 3
    assert next_assignment(annotator=jana, project=project) is None
    ask_for(5)
    assert judge(jana, project) == 2
    ask_for(None)
    assert judge(jana, project) == 7


def test_the_database_refuses_a_limit_of_zero():
    project = make_project("other")
    make_annotator(project, "petr")
    with pytest.raises(IntegrityError), transaction.atomic():
        ask_for(0)


def test_repeats_and_controls_count(project, jana):
    make_controls(project=project, count=4, seed=1)
    Project.objects.update(intra_rate=0.4, control_rate=0.3)
    project.refresh_from_db()
    ask_for(10)
    assert judge(jana, project) == 10
    kinds = set(jana.assignments.values_list("kind", flat=True))
    assert kinds == {"first", "intra", "control"}


def test_practice_does_not_count(project, jana):
    practise_with(project, 11, 12)
    Project.objects.update(practice_required=True)
    project.refresh_from_db()
    ask_for(3)
    assert judge(jana, project) == 2 + 3
    assert jana.assignments.filter(kind="practice").count() == 2


def test_skipped_sentences_do_not_count(project, jana):
    ask_for(2)
    given = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=given.pk, reason="other")
    assert judge(jana, project) == 2


def test_a_returned_sentence_cannot_exceed_the_limit(project, jana):
    ask_for(1)
    first = assign_next(jana, project)
    save_draft(
        annotator=jana, project=project, assignment_id=first.pk, base=0,
        choices={next(iter(cards_of(first.pk))): 1},
    )  # fmt: skip
    Assignment.objects.update(state="returned", lease_until=None)
    # It would be continued; while it is open for another annotator, a new one is assigned.
    petr = make_annotator(project, "petr")
    Assignment.objects.create(
        project=project, sentence=first.sentence, annotator=petr, kind="first", slot=1,
        created=timezone.now(), lease_until=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    second = assign_next(jana, project)
    assert second.sentence != first.sentence
    Assignment.objects.filter(annotator=petr).update(state="returned", lease_until=None)
    with pytest.raises(NotAvailable):
        submit_sentence(first)
    submit_sentence(second)
    with pytest.raises(NotAvailable):
        submit_sentence(first)
    assert jana.assignments.filter(state="submitted").count() == 1


def test_progress_is_relative_to_the_limit(project, jana):
    ask_for(4)
    assert judge(jana, project, 3) == 3
    progress = statuses_of(jana, [project.pk])[0]
    assert (progress.assignments, progress.limit, progress.most_left) == (3, 4, 1)
    assert progress.may_have_more
    assert judge(jana, project) == 1
    assert not statuses_of(jana, [project.pk])[0].may_have_more


def test_without_a_limit_nothing_is_counted(project, jana):
    given = assign_next(jana, project)
    Assignment.objects.filter(pk=given.pk).update(state="returned", lease_until=None)
    with CaptureQueriesContext(connection) as without:
        next_assignment(annotator=jana, project=project)
    Assignment.objects.update(state="returned", lease_until=None)
    ask_for(100)
    with CaptureQueriesContext(connection) as with_quota:
        next_assignment(annotator=jana, project=project)
    assert len(with_quota) == len(without) + 1

"""Sentences are lent, not given: how they come back, under a clock that stands still."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from annotation.judging.assignment import release, return_expired, skip
from annotation.judging.drafts import save_draft
from annotation.judging.errors import NotAvailable
from annotation.models import Assignment, Project, User
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

LEASE = timedelta(minutes=60)
MINUTE = timedelta(minutes=1)
Clock = time_machine.Traveller


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that the test moves."""
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


@pytest.fixture
def project() -> Project:
    return make_project(sentences=1, lease_minutes=60)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def petr(project: Project) -> User:
    return make_annotator(project, "petr")


def given(annotator: User, project: Project) -> Assignment:
    assignment = assign_next(annotator, project)
    return assignment


def stored(assignment: Assignment) -> Assignment:
    return Assignment.objects.get(pk=assignment.pk)


def save(assignment: Assignment) -> None:
    save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=stored(assignment).draft_version,
        choices={"1-1": 1},
        active_seconds=1,
    )


def test_a_lease_lasts_to_its_last_moment_and_no_longer(
    clock: Clock, project: Project, jana: User, petr: User
) -> None:
    hers = given(jana, project)
    assert hers.lease_until == datetime(2026, 3, 1, 13, tzinfo=UTC)
    clock.shift(LEASE)
    assert next_assignment(annotator=petr, project=project) is None
    clock.shift(timedelta(microseconds=1))
    his = given(petr, project)
    assert his.sentence == hers.sentence
    hers.refresh_from_db()
    assert hers.state == "returned"
    assert hers.lease_until is None


def test_an_expired_lease_is_renewed_if_the_sentence_is_still_free(
    clock: Clock, project: Project, jana: User
) -> None:
    hers = given(jana, project)
    clock.shift(10 * LEASE)
    again = given(jana, project)
    assert (again.pk, again.lease_until) == (hers.pk, hers.created + 11 * LEASE)


@pytest.mark.parametrize(("minutes", "renewed"), [(30, False), (31, True)])
def test_opening_the_page_renews_a_lease_only_past_half_of_its_life(
    clock: Clock, project: Project, jana: User, minutes: int, renewed: bool
) -> None:
    hers = given(jana, project)
    clock.shift(minutes * MINUTE)
    assert (given(jana, project).lease_until != hers.lease_until) is renewed


def test_saving_drafts_renews_the_lease(
    clock: Clock, project: Project, jana: User, petr: User
) -> None:
    hers = given(jana, project)
    for _hour in range(5):
        clock.shift(50 * MINUTE)
        save(hers)
        assert next_assignment(annotator=petr, project=project) is None
    clock.shift(LEASE + MINUTE)
    assert given(petr, project).sentence == hers.sentence


def test_a_late_submission_is_accepted_if_the_sentence_is_still_free(
    clock: Clock, project: Project, jana: User
) -> None:
    hers = given(jana, project)
    clock.shift(2 * LEASE)
    assert return_expired(project) == 1
    submit_on_one_rank(hers)
    hers.refresh_from_db()
    assert (hers.state, hers.submitted) == ("submitted", hers.created + 2 * LEASE)


def test_a_late_submission_is_refused_if_another_has_the_sentence(
    clock: Clock, project: Project, jana: User, petr: User
) -> None:
    hers = given(jana, project)
    save(hers)
    clock.shift(2 * LEASE)
    his = given(petr, project)
    with pytest.raises(NotAvailable):
        submit_on_one_rank(hers)
    # Her work stays, and is hers again as soon as he gives the sentence back.
    assert stored(hers).draft_choices == {"1-1": 1}
    clock.shift(2 * LEASE)
    assert given(jana, project).pk == hers.pk
    with pytest.raises(NotAvailable):
        submit_on_one_rank(his)


def test_seconds_are_measured_by_the_server(clock: Clock, project: Project, jana: User) -> None:
    hers = given(jana, project)
    clock.shift(timedelta(seconds=90))
    submit_on_one_rank(hers)
    seconds = hers.submissions.get().judgements.values_list("seconds", flat=True)
    assert list(seconds) == [45.0, 45.0]


def test_the_administrator_can_release_what_is_open(
    project: Project, jana: User, petr: User
) -> None:
    hers = given(jana, project)
    release(project=project, assignment_id=hers.pk)
    assert next_assignment(annotator=petr, project=project)
    with pytest.raises(NotAvailable):
        release(project=project, assignment_id=hers.pk)


# --- skipping ---------------------------------------------------------------------------------


def test_a_skipped_sentence_goes_to_others_and_never_comes_back(
    project: Project, jana: User, petr: User
) -> None:
    hers = given(jana, project)
    skip(
        annotator=jana,
        project=project,
        assignment_id=hers.pk,
        reason="unclear",
        comment=" what is it ",
    )
    assert next_assignment(annotator=jana, project=project) is None
    assert given(petr, project).sentence == hers.sentence
    hers.refresh_from_db()
    assert (hers.state, hers.skip.reason, hers.skip.comment) == (
        "skipped",
        "unclear",
        "what is it",
    )


def test_it_refuses_to_skip_for_another_annotator(project: Project, jana: User, petr: User) -> None:
    hers = given(jana, project)
    with pytest.raises(NotAvailable):
        skip(annotator=petr, project=project, assignment_id=hers.pk, reason="other")

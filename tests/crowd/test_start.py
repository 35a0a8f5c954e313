"""The start page: what it shows, and whom it signs in."""

from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Membership, Project, User
from annotation.projects.deletion import delete_project
from annotation.projects.instructions import write_instructions
from crowd.models import Participant, StartLink
from crowd.participants import arrive
from tests.crowd.coming import PID, come, judge, make_link, path_of, user_of
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(sentences=6)


@pytest.fixture
def link(project: Project) -> StartLink:
    return make_link(project, sentences=2, minutes=15, contact="Jana, jana@example.org")


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_get_describes_the_study_and_creates_nothing(client, project, link):
    boss = make_annotator(project, "boss", "owner")
    write_instructions(project=project, author=boss, text="Be *very* kind.")
    page = text(client.get(path_of(link)))
    for words in (
        "<strong>2 sentences</strong>",
        "<strong>15 minutes</strong>",
        "Be <em>very</em> kind.",
        "jana@example.org",
        f"<bdi>{PID}</bdi>",
    ):
        assert words in page
    assert not Participant.objects.exists()


def test_a_post_creates_an_account_that_may_judge_here(client, project, link):
    answer = client.post(path_of(link, SESSION_ID="visit-0001"))
    assert answer.headers["Location"] == reverse("judge", args=[project.pk])
    participant = Participant.objects.get()
    assert (participant.participant_id, participant.visit) == (PID, "visit-0001")
    assert participant.completed is None
    user = participant.user
    assert not user.has_usable_password()
    assert (user.is_staff, user.is_superuser, user.email) == (False, False, "")
    assert PID not in user.username
    membership = Membership.objects.get(user=user)
    assert (membership.project, membership.role, membership.sentence_limit) == (
        project, "annotator", 2,
    )  # fmt: skip
    assert client.get(answer.headers["Location"]).status_code == 200


def test_a_returning_participant_continues(client, project, link):
    come(link)
    judge(user_of(link), project, 1)
    other = Client()
    assert other.get(path_of(link)).context["known"]
    # A blank may be copied with the id.
    come(link, f"{PID}%20", client=other)
    assert Participant.objects.count() == 1
    assert other.session[SESSION_KEY] == str(user_of(link).pk)


def test_a_later_limit_applies_to_participants_who_are_not_done(client, project, link):
    come(link)
    come(link, "someone-else")
    Participant.objects.filter(participant_id=PID).update(completed="2026-01-01T00:00Z")
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    form = {
        "platform": "Prolific", "id_parameter": "PROLIFIC_PID", "sentences": 5, "currency": "EUR",
        "is_on": "on", "most_participants": 10,
    }  # fmt: skip
    path = reverse("start-link", args=[project.pk, link.pk])
    assert client.post(path, form).status_code == 302
    most = dict(
        Membership.objects.exclude(user=boss).values_list(
            "user__participant__participant_id", "sentence_limit"
        )
    )
    assert most == {PID: 2, "someone-else": 5}


def test_a_limit_that_changes_while_a_participant_arrives_applies_to_them(link):
    StartLink.objects.filter(pk=link.pk).update(sentences=7)
    arrived = arrive(link=link, participant_id=PID, visit="")
    assert arrived.user.memberships.get().sentence_limit == 7


def test_each_project_has_its_own_account_of_a_participant(project, link):
    other = make_project("castles")
    come(link)
    come(make_link(other))
    first, second = Participant.objects.order_by("pk")
    assert first.user != second.user
    memberships = Membership.objects.order_by("pk").values_list("user", "project")
    assert list(memberships) == [(first.user_id, project.pk), (second.user_id, other.pk)]


BAD = ["", "abc", "a" * 65, "a b c d", "äbcdef", "{{%PROLIFIC_PID%}}", "-abcd", "=1%2B1", "a%00bcd"]


@pytest.mark.parametrize("participant", BAD)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_missing_or_invalid_id_is_refused(client, link, participant, method):
    answer = getattr(client, method)(path_of(link, participant))
    assert answer.status_code == 400
    assert not Participant.objects.exists()
    assert SESSION_KEY not in client.session


def test_an_invalid_visit_is_ignored(client, link):
    client.post(path_of(link, SESSION_ID="<script>"))
    assert Participant.objects.get().visit == ""


def test_an_unknown_link_is_not_found(client, link):
    answer = client.post(reverse("start", args=["made-up"]) + f"?PROLIFIC_PID={PID}")
    assert answer.status_code == 404


@pytest.mark.parametrize("why", ["off", "closed"])
def test_a_closed_study_refuses_new_participants_only(client, project, link, why):
    come(link)
    if why == "off":
        StartLink.objects.update(is_on=False)
    else:
        Project.objects.update(state="closed")
    for answer in (client.get(path_of(link, "new-one")), client.post(path_of(link, "new-one"))):
        assert answer.status_code == 403
    assert Participant.objects.count() == 1
    assert client.post(path_of(link)).status_code == 302


def test_a_full_link_refuses_new_participants_only(client, link):
    StartLink.objects.update(most_participants=2)
    come(link)
    come(link, "second")
    for answer in (client.get(path_of(link, "third")), client.post(path_of(link, "third"))):
        assert answer.status_code == 403
    assert Participant.objects.count() == User.objects.count() == 2
    assert client.post(path_of(link)).status_code == 302
    with pytest.raises(IntegrityError), transaction.atomic():
        StartLink.objects.update(most_participants=0)


def test_a_removed_participant_is_refused(client, link):
    come(link)
    Membership.objects.all().delete()
    answer = client.post(path_of(link))
    assert answer.status_code == 403
    assert SESSION_KEY not in client.session


@pytest.mark.parametrize(
    "change",
    [{"is_staff": True}, {"is_superuser": True}, {"is_active": False}, {"password": "md5$a$b"}],
)
def test_an_account_with_more_rights_is_not_signed_in(client, link, change):
    before = come(link)
    User.objects.filter(pk=user_of(link).pk).update(**change)
    answer = client.post(path_of(link))
    assert answer.status_code == 403
    assert SESSION_KEY not in client.session
    if "password" not in change:
        assert before.get(reverse("judge", args=[link.project_id])).status_code == 302


def test_the_account_has_no_other_way_to_sign_in(client, link):
    come(link)
    user = user_of(link)
    for password in ("", PID, user.password, "!"):
        client.post(reverse("sign-in"), {"username": user.username, "password": password})
        assert SESSION_KEY not in client.session


def test_participants_accounts_are_deleted_with_their_project(project, link):
    come(link)
    user = user_of(link)
    judge(user, project)
    delete_project(project)
    assert not User.objects.filter(pk=user.pk).exists()
    assert not StartLink.objects.exists()


def test_accounts_with_a_password_or_another_project_are_kept(project, link):
    come(link)
    come(link, "second")
    come(link, "third")
    Membership.objects.create(
        user=user_of(link), project=make_project("castles"), role="owner"
    )  # fmt: skip
    with_password = user_of(link, "second")
    with_password.set_password("nine-quiet-rivers")
    with_password.save()
    kept = {user_of(link).pk, with_password.pk}
    delete_project(project)
    assert set(User.objects.values_list("pk", flat=True)) == kept


def test_deleting_takes_a_constant_number_of_queries():
    def queries(name: str, people: int) -> int:
        project = make_project(name, sentences=0)
        link = make_link(project)
        for number in range(people):
            come(link, f"person{number}")
        with CaptureQueriesContext(connection) as captured:
            delete_project(project)
        return len(captured)

    assert queries("few", 2) == queries("many", 12)

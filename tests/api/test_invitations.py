"""Invitations through the API."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from annotation.models import Membership, Project, User
from annotation.models.secret_links import EndedLink
from api.models import StoredAnswer
from people import invitations
from people.models import Invitation
from tests.api.client import Program, problem_of, program_of
from tests.factories import make_annotator
from tests.people.inviting import NEWCOMER


@pytest.fixture
def mailing(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    settings.DEFAULT_FROM_EMAIL = "rank@example.org"


def at(project: Project, path: str = "") -> str:
    return f"projects/{project.pk}/invitations/{path}"


def invite(program: Program, project: Project, **values: Any) -> Any:
    return program.send("POST", at(project), {"role": "annotator"} | values)


def test_a_person_accepts_an_invitation(program: Program, project: Project) -> None:
    answer = invite(program, project, days=3, use_limit=2, note="Welcome.")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    address = made.pop("address")
    assert re.search(r"/invitations/[\w-]{43}/$", address)
    assert (made["created_by"], made["use_limit"], made["used"]) == ("owner", 2, 0)
    assert (made["email"], made["note"]) == ("", "Welcome.")
    expires = Invitation.objects.get().expires
    assert timedelta(days=2) < expires - timezone.now() <= timedelta(days=3)

    assert program.get(answer.headers["Location"]).json() == made
    assert program.send("GET", at(project)).json()["results"] == [made]
    Client().post("/invitations/" + address.split("/invitations/")[1], NEWCOMER)
    assert Membership.objects.get(user__username=NEWCOMER["username"]).role == "annotator"
    assert program.get(answer.headers["Location"]).json()["used"] == 1


def test_the_link_is_shown_once_and_not_stored(program: Program, project: Project) -> None:
    first, again = (
        program.send("POST", at(project), {"role": "annotator"}, Idempotency_Key="one")
        for _time in "ab"
    )
    address = first.json()["address"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == first.json() | {"address": None}
    assert Invitation.objects.count() == 1
    token = address.rstrip("/").rpartition("/")[2]
    listed = program.send("GET", at(project)).content.decode()
    stored = str([*StoredAnswer.objects.values(), *Invitation.objects.values()])
    assert token not in listed + stored


def test_a_person_is_invited_by_mail(program: Program, project: Project, mailing: None) -> None:
    answer = invite(program, project, role="observer", email="eva@example.org", note="Hello!")
    assert answer.status_code == 201, answer.content
    assert (answer.json()["email"], answer.json()["address"]) == ("eva@example.org", None)
    (sent,) = mail.outbox
    assert sent.to == ["eva@example.org"]
    assert re.search(r"/invitations/[\w-]{43}/", str(sent.body))
    assert "Hello!" in sent.body


def test_a_refused_mail_leaves_no_invitation(
    program: Program, project: Project, mailing: None, settings: Any
) -> None:
    # No server listens there.
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    for headers in ({}, {"Idempotency_Key": "one"}):
        body = {"role": "annotator", "email": "eva@example.org"}
        problem = problem_of(program.send("POST", at(project), body, **headers), 502)
        assert problem["type"] == "urn:segranks:problem:not_sent"
        assert problem["errors"][0]["pointer"] == "#/email"
    assert not Invitation.objects.exists()
    assert not StoredAnswer.objects.exists()


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"role": "king"}, "#/role"),
        ({"days": 0}, "#/days"),
        ({"days": 91}, "#/days"),
        ({"use_limit": 1001}, "#/use_limit"),
        ({"email": "eva"}, "#/email"),
        ({"email": "eva@example.org", "use_limit": 2}, "#/use_limit"),
        ({"note": "x" * 501}, "#/note"),
        ({"token": "mine"}, "#/token"),
    ],
)
def test_it_refuses_a_wrong_invitation(
    program: Program, project: Project, mailing: None, change: dict[str, Any], pointer: str
) -> None:
    problem = problem_of(invite(program, project, **change), 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert not Invitation.objects.exists()
    assert not mail.outbox


def test_a_revoked_invitation_is_not_found(program: Program, project: Project) -> None:
    made = invite(program, project).json()
    one = at(project, f"{made['id']}/")
    assert program.send("DELETE", one).status_code == 204
    problem_of(program.send("GET", one), 404)
    assert program.send("GET", at(project)).json()["results"] == []
    with pytest.raises(EndedLink):
        invitations.find(made["address"].rstrip("/").rpartition("/")[2])


def invite_list(program: Program, project: Project, addresses: Any, **headers: str) -> Any:
    body = {"addresses": addresses, "role": "annotator", "days": 3, "note": "Welcome."}
    return program.send("POST", at(project, "list/"), body, **headers)


def test_a_list_is_invited_by_mail(program: Program, project: Project, mailing: None) -> None:
    make_annotator(project, "karel")
    User.objects.filter(username="karel").update(email="karel@example.org")
    invite_list(program, project, ["jana@example.org"])
    table = (
        "name,address\nJana,jana@example.org\nKarel,karel@example.org\n"
        "Eva,eva@example.org\nEva,Eva@example.org\n"
    )

    answer = invite_list(program, project, table)

    assert answer.status_code == 201, answer.content
    assert answer.json() == {
        "invited": ["eva@example.org"],
        "members": ["karel@example.org"],
        "invited_before": ["jana@example.org"],
        "repeated": ["eva@example.org"],
        "links": [],
    }
    invitation = Invitation.objects.get(email="eva@example.org")
    assert (invitation.mailing, invitation.note, invitation.use_limit) == ("waiting", "Welcome.", 1)


def test_links_of_a_list_are_shown_once_where_no_mail_is_sent(
    program: Program, project: Project
) -> None:
    lines = ["Jana <jana@example.org>", "eva@example.org"]
    first, again = (
        invite_list(program, project, lines, Idempotency_Key="one").json() for _time in "ab"
    )
    assert [link["email"] for link in first["links"]] == first["invited"]
    assert first["invited"] == ["jana@example.org", "eva@example.org"]
    assert again == first | {"links": None}
    token = first["links"][0]["address"].rstrip("/").rpartition("/")[2]
    assert invitations.find(token).email == "jana@example.org"
    assert token not in str(StoredAnswer.objects.values())


@pytest.mark.parametrize("addresses", ["", "jana@example.org\neva@\nkarel", [1], {}, None])
def test_it_invites_no_one_of_a_wrong_list(
    program: Program, project: Project, addresses: Any
) -> None:
    problem = problem_of(invite_list(program, project, addresses), 400)
    assert {error["pointer"] for error in problem["errors"]} == {"#/addresses"}
    # Of three lines, the two wrong ones are named.
    assert len(problem["errors"]) == (3 if "@" in str(addresses) else 1)
    assert not Invitation.objects.exists()


def test_only_owners_invite_owners_of_a_list(project: Project) -> None:
    administrator = program_of(make_annotator(project, "boss", "administrator"))
    body = {"addresses": "eva@example.org", "role": "owner"}
    problem_of(administrator.send("POST", at(project, "list/"), body), 409)
    assert not Invitation.objects.exists()

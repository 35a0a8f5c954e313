"""Webhooks through the API."""

from base64 import b64decode
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Project
from api.models import StoredAnswer
from tests.api.client import Program, problem_of
from webhooks import signatures
from webhooks.models import Delivery, Webhook

NEW = {"address": "https://hooks.example.org/x", "events": ["project.closed", "project.prepared"]}


@pytest.fixture(autouse=True)
def _hosts(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = ["hooks.example.org"]


def at(project: Project, path: str = "") -> str:
    return f"projects/{project.pk}/webhooks/{path}"


@pytest.fixture
def made(program: Program, project: Project) -> dict[str, Any]:
    answer = program.send("POST", at(project), NEW)
    assert answer.status_code == 201, answer.content
    row: dict[str, Any] = answer.json()
    return row


def test_a_webhook_is_added_listed_changed_and_removed(
    program: Program, project: Project, made: dict[str, Any]
) -> None:
    assert {name: made[name] for name in NEW} == NEW
    assert program.send("GET", at(project)).json()["results"] == [made]
    one = at(project, f"{made['id']}/")
    changed = program.send("PATCH", one, {"active": False}).json()
    assert changed == made | {"active": False}
    assert program.send("GET", one).json() == changed
    assert program.send("DELETE", one).status_code == 204
    problem_of(program.send("GET", one), 404)


def test_the_secret_is_shown_once_and_not_stored(
    program: Program, project: Project, made: dict[str, Any]
) -> None:
    assert "secret" not in made
    answer = program.send("PUT", at(project, f"{made['id']}/secret/"))
    secret = answer.json()["secret"]
    assert secret == signatures.secret_of(Webhook.objects.get())
    assert len(b64decode(secret.removeprefix("whsec_"))) == 32
    assert secret not in str([*Webhook.objects.values(), *StoredAnswer.objects.values()])


def test_a_test_message_is_sent_listed_and_sent_again(
    program: Program, project: Project, made: dict[str, Any]
) -> None:
    sent = program.send("POST", at(project, f"{made['id']}/test/"))
    assert sent.status_code == 202
    assert (sent.json()["event"], sent.json()["state"]) == ("test", "waiting")
    assert program.send("GET", at(project, f"{made['id']}/deliveries/")).json()["results"] == [
        sent.json()
    ]
    again = at(project, f"{made['id']}/deliveries/{sent.json()['id']}/again/")
    problem_of(program.send("POST", again), 409)
    Delivery.objects.update(state="given_up", ended=timezone.now())
    assert program.send("POST", again).json()["state"] == "waiting"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"address": "https://elsewhere.example/"}, "#/address"),
        ({"address": "http://hooks.example.org/"}, "#/address"),
        ({"address": ""}, "#/address"),
        ({"events": []}, "#/events"),
        ({"events": ["project.exploded"]}, "#/events/0"),
        ({"events": ["project.closed"] * 2}, "#/events"),
        ({"secret": "mine"}, "#/secret"),
    ],
)
def test_it_refuses_a_wrong_webhook(
    program: Program, project: Project, change: dict[str, object], pointer: str
) -> None:
    problem = problem_of(program.send("POST", at(project), NEW | change), 400)
    assert problem["errors"][0]["pointer"] == pointer
    assert not Webhook.objects.exists()


def test_it_refuses_to_test_an_inactive_webhook(
    program: Program, project: Project, made: dict[str, Any]
) -> None:
    program.send("PATCH", at(project, f"{made['id']}/"), {"active": False})
    problem_of(program.send("POST", at(project, f"{made['id']}/test/")), 409)

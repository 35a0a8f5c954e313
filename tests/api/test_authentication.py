"""Who may use the API: tokens, sessions, scopes."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Project, User
from api.models import Token
from api.tokens import create_token
from tests.api.client import Program, problem_of, program_of
from tests.factories import make_project


def test_it_accepts_a_token(program: Program, project: Project) -> None:
    answer = program.send("GET", "projects/")
    assert answer.status_code == 200
    assert [row["id"] for row in answer.json()["results"]] == [project.pk]
    assert answer.json()["results"][0]["role"] == "owner"


def test_it_refuses_requests_without_a_token(db: None) -> None:
    answer = Program().send("GET", "projects/")
    problem_of(answer, 401)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "change",
    [
        {"revoked": timezone.now()},
        {"expires": timezone.now(), "created": timezone.now() - timedelta(days=1)},
    ],
    ids=["revoked", "expired"],
)
def test_it_refuses_a_revoked_or_expired_token(owner: User, change: dict[str, Any]) -> None:
    token, word = create_token(user=owner, name="old", scope="read")
    Token.objects.filter(pk=token.pk).update(**change)
    problem_of(Program(word).send("GET", "projects/"), 401)


def test_it_refuses_a_token_of_a_deactivated_account(owner: User, program: Program) -> None:
    owner.is_active = False
    owner.save()
    problem_of(program.send("GET", "projects/"), 401)


@pytest.mark.parametrize("word", ["", "sr_", "x" * 10_000, "sr_é", "a b"])
def test_it_refuses_what_is_not_a_token(db: None, word: str) -> None:
    problem_of(Client().get("/api/v1/projects/", headers={"Authorization": f"Bearer {word}"}), 401)


def test_only_the_hash_of_a_token_is_stored(owner: User) -> None:
    token, word = create_token(user=owner, name="one", scope="read")
    assert word.startswith("sr_")
    assert len(word) >= 45
    row = Token.objects.filter(pk=token.pk).values().get()
    assert word not in str(row)
    assert word.removeprefix("sr_") not in str(row)


def test_a_read_only_token_changes_nothing(owner: User, project: Project) -> None:
    reading = program_of(owner, "read")
    path = f"projects/{project.pk}/"
    assert reading.send("GET", path).status_code == 200
    problem_of(reading.send("PATCH", path, {"block_size": 3}), 403)
    problem_of(reading.send("DELETE", f"{path}?confirm={project.name}"), 403)
    project.refresh_from_db()
    assert project.block_size == 10


def test_a_token_of_one_project_does_not_find_others(owner: User, project: Project) -> None:
    other = make_project("castles")
    other.memberships.create(user=owner, role="owner")
    limited = program_of(owner, project=project)
    assert limited.send("GET", f"projects/{project.pk}/").status_code == 200
    problem_of(limited.send("GET", f"projects/{other.pk}/"), 404)
    rows = limited.send("GET", "projects/").json()["results"]
    assert [row["id"] for row in rows] == [project.pk]


def test_a_token_follows_the_role_of_its_person(
    owner: User, project: Project, program: Program
) -> None:
    path = f"projects/{project.pk}/"
    owner.memberships.update(role="observer")
    assert program.send("GET", path).status_code == 200
    problem_of(program.send("PATCH", path, {"block_size": 3}), 403)
    owner.memberships.all().delete()
    problem_of(program.send("GET", path), 404)


def test_last_use_is_stored_once_an_hour(owner: User, django_assert_num_queries: Any) -> None:
    token, word = create_token(user=owner, name="one", scope="read")
    program = Program(word)
    assert program.send("GET", "projects/").status_code == 200
    used = Token.objects.get(pk=token.pk).last_used
    assert used
    with django_assert_num_queries(2):
        program.send("GET", "projects/")
    assert Token.objects.get(pk=token.pk).last_used == used
    Token.objects.filter(pk=token.pk).update(last_used=used - timedelta(hours=2))
    program.send("GET", "projects/")
    assert Token.objects.filter(pk=token.pk, last_used__gte=used).exists()


def test_a_session_needs_the_csrf_header(owner: User, project: Project) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    path = f"/api/v1/projects/{project.pk}/"
    assert browser.get(path).status_code == 200
    answer = browser.patch(path, {"block_size": 3}, content_type="application/json")
    problem_of(answer, 403)
    browser.get("/")
    secret = browser.cookies["csrftoken"].value
    answer = browser.patch(
        path,
        {"block_size": 3},
        content_type="application/json",
        headers={"X-CSRFToken": secret},
    )
    assert answer.status_code == 200
    assert answer.json()["block_size"] == 3

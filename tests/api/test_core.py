"""What holds for every resource: who is asked for, what is refused, and how that is told."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.models import Project, User
from api.models import Token
from api.tokens import make_token
from tests.api.conftest import Program, program_of
from tests.factories import make_project

PROBLEM = {"type", "title", "status", "detail", "instance", "errors"}


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """Return the problem, which has to be told as all of them are."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert set(problem) == PROBLEM
    assert problem["status"] == status
    assert problem["detail"]
    assert "no-store" in response.headers["Cache-Control"]
    return problem


# --- who ----------------------------------------------------------------------------------------


def test_a_token_lets_a_program_in(program: Program, project: Project) -> None:
    answer = program.send("GET", "projects/")
    assert answer.status_code == 200
    assert [row["id"] for row in answer.json()["results"]] == [project.pk]
    assert answer.json()["results"][0]["role"] == "owner"


def test_nobody_gets_in_without(db: None) -> None:
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
def test_a_token_that_is_over_is_none(owner: User, change: dict[str, Any]) -> None:
    token, word = make_token(user=owner, name="old", scope="read")
    Token.objects.filter(pk=token.pk).update(**change)
    problem_of(Program(word).send("GET", "projects/"), 401)


def test_a_token_of_somebody_switched_off_is_none(owner: User, program: Program) -> None:
    owner.is_active = False
    owner.save()
    problem_of(program.send("GET", "projects/"), 401)


@pytest.mark.parametrize("word", ["", "sr_", "x" * 10_000, "sr_é", "a b"])
def test_what_is_no_token_is_none(db: None, word: str) -> None:
    problem_of(Client().get("/api/v1/projects/", headers={"Authorization": f"Bearer {word}"}), 401)


def test_only_a_hash_of_a_token_is_kept(owner: User) -> None:
    token, word = make_token(user=owner, name="one", scope="read")
    assert word.startswith("sr_")
    assert len(word) >= 45
    row = Token.objects.filter(pk=token.pk).values().get()
    assert word not in str(row)
    assert word.removeprefix("sr_") not in str(row)


def test_a_token_that_may_read_changes_nothing(owner: User, project: Project) -> None:
    reading = program_of(owner, "read")
    path = f"projects/{project.pk}/"
    assert reading.send("GET", path).status_code == 200
    problem_of(reading.send("PATCH", path, {"block_size": 3}), 403)
    problem_of(reading.send("DELETE", f"{path}?confirm={project.name}"), 403)
    project.refresh_from_db()
    assert project.block_size == 10


def test_a_token_of_one_project_is_good_for_no_other(owner: User, project: Project) -> None:
    other = make_project("castles")
    other.memberships.create(user=owner, role="owner")
    limited = program_of(owner, project=project)
    assert limited.send("GET", f"projects/{project.pk}/").status_code == 200
    problem_of(limited.send("GET", f"projects/{other.pk}/"), 404)
    rows = limited.send("GET", "projects/").json()["results"]
    assert [row["id"] for row in rows] == [project.pk]


def test_a_token_may_never_more_than_its_person_at_that_moment(
    owner: User, project: Project, program: Program
) -> None:
    path = f"projects/{project.pk}/"
    owner.memberships.update(role="observer")
    assert program.send("GET", path).status_code == 200
    problem_of(program.send("PATCH", path, {"block_size": 3}), 403)
    owner.memberships.all().delete()
    problem_of(program.send("GET", path), 404)


def test_when_a_token_was_used_is_noted_once_an_hour(
    owner: User, django_assert_num_queries: Any
) -> None:
    token, word = make_token(user=owner, name="one", scope="read")
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


def test_a_browser_needs_its_token_against_forgery(owner: User, project: Project) -> None:
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


# --- what is refused, and how that is told ------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["nowhere/", "projects", "projects/1/nothing/", "projects/x/", "a%00b"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_there_is_nothing_elsewhere(program: Program, path: str, method: str) -> None:
    problem = problem_of(program.send(method, path), 404)
    assert problem["instance"].startswith("/api/v1/")


def test_ids_that_nothing_can_have_are_not_found(program: Program) -> None:
    for number in (0, 2**31, 2**63 - 1, 2**63, 10**30):
        problem_of(program.send("GET", f"projects/{number}/"), 404)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_are_refused(program: Program, method: str) -> None:
    answer = program.send(method, "projects/")
    problem_of(answer, 405)
    assert "GET" in answer.headers["Allow"]


def test_what_cannot_be_answered_in_is_refused(program: Program) -> None:
    problem_of(program.send("GET", "projects/", Accept="text/html"), 406)


def test_what_is_not_json_is_refused(program: Program, project: Project) -> None:
    path = f"/api/v1/projects/{project.pk}/"
    problem_of(program.patch(path, b"<a/>", content_type="text/xml"), 415)
    for body in (b"{", b"\xff", b"NaN", b'{"intra_rate": NaN}', b"[" * 100_000, b"1" * 5000):
        problem_of(program.patch(path, body, content_type="application/json"), 400)
    large = b'"' + b"x" * 2_600_000 + b'"'
    problem_of(program.patch(path, large, content_type="application/json"), 413)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], "#"),
        (None, "#"),
        ('"text"', "#"),
        ({"block_size": 0}, "#/block_size"),
        ({"block_size": "7"}, "#/block_size"),
        ({"block_size": True}, "#/block_size"),
        ({"block_size": None}, "#/block_size"),
        ({"block_size": 10**400}, "#/block_size"),
        ({"intra_rate": 1.5}, "#/intra_rate"),
        ('{"intra_rate": 1e400}', "#/intra_rate"),
        ({"intra_rate": "nan"}, "#/intra_rate"),
        ({"queue_order": "fast"}, "#/queue_order"),
        ({"queue_order": ["random"]}, "#/queue_order"),
        ({"description": "a\0b"}, "#/description"),
        ({"description": "\ud800"}, "#/description"),
        ({"description": "x" * 5001}, "#/description"),
        ({"description": {}}, "#/description"),
        ({"nme": "x"}, "#/nme"),
        ({"state": "open"}, "#/state"),
        ({"a/b~c": 1}, "#/a~1b~0c"),
    ],
)
def test_every_field_that_is_wrong_is_named(
    program: Program, project: Project, body: Any, pointer: str
) -> None:
    answer = program.send("PATCH", f"projects/{project.pk}/", body if body is not None else "null")
    problem = problem_of(answer, 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert all(error["detail"] for error in problem["errors"])


def test_all_that_is_wrong_is_told_at_once(program: Program, project: Project) -> None:
    body = {"block_size": 0, "intra_rate": 2.0, "lease_minutes": 1}
    problem = problem_of(program.send("PATCH", f"projects/{project.pk}/", body), 400)
    assert {error["pointer"] for error in problem["errors"]} == {
        "#/block_size",
        "#/intra_rate",
        "#/lease_minutes",
    }


def test_a_mistake_of_ours_is_told_too(
    owner: User, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("annotation.projects.administration.set_state", broken)
    program = program_of(owner)
    program.raise_request_exception = False
    answer = program.send("PUT", f"projects/{project.pk}/state/", {"state": "closed"})
    problem = problem_of(answer, 500)
    assert "ZeroDivision" not in str(problem)


def test_every_kind_of_problem_is_one_that_the_schema_names(
    program: Program, project: Project
) -> None:
    path = f"/api/v1/projects/{project.pk}/"
    broken = program.patch(path, b"{", content_type="application/json")
    assert problem_of(broken, 400)["type"] == "urn:segranks:problem:invalid"
    wrong = Program("sr_wrong").send("GET", "projects/")
    assert problem_of(wrong, 401)["type"] == "urn:segranks:problem:not_authenticated"


def test_a_token_of_one_project_makes_no_other(owner: User, project: Project) -> None:
    answer = program_of(owner, project=project).post("/api/v1/projects/", {"name": "News"})
    assert "one project only" in problem_of(answer, 403)["detail"]


@pytest.mark.parametrize("path", ["", "nothing/", "projects/%0A/", "projects%0a", "%0A"])
def test_whatever_is_not_there_is_told_as_a_problem(program: Program, path: str) -> None:
    problem_of(program.send("GET", path), 404)


def test_too_many_files_are_too_much(program: Program, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    files = [SimpleUploadedFile(f"{number}.txt", b"text") for number in range(3)]
    answer = program.post("/api/v1/projects/", {"name": "News", "files": files})
    problem_of(answer, 413)

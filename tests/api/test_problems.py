"""What is refused, and how refusals are answered."""

from typing import Any

import pytest

from annotation.models import Project, User
from tests.api.client import Program, problem_of, program_of


@pytest.mark.parametrize(
    "path", ["nowhere/", "projects", "projects/1/nothing/", "projects/x/", "a%00b"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_unknown_addresses_are_not_found(program: Program, path: str, method: str) -> None:
    problem = problem_of(program.send(method, path), 404)
    assert problem["instance"].startswith("/api/v1/")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
def test_it_refuses_other_methods(program: Program, method: str) -> None:
    answer = program.send(method, "projects/")
    problem_of(answer, 405)
    assert "GET" in answer.headers["Allow"]


def test_it_refuses_media_types_it_cannot_produce(program: Program) -> None:
    problem_of(program.send("GET", "projects/", Accept="text/html"), 406)


def test_it_refuses_bodies_that_are_not_json(program: Program, project: Project) -> None:
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
        ({"block_size": True}, "#/block_size"),
        ({"block_size": None}, "#/block_size"),
        ({"block_size": "5"}, "#/block_size"),
        ({"block_size": 5.0}, "#/block_size"),
        ({"intra_rate": True}, "#/intra_rate"),
        ({"intra_rate": "0.5"}, "#/intra_rate"),
        ({"shown_references": "some"}, "#/shown_references"),
        ({"shown_references": 0}, "#/shown_references"),
        ({"description": 5}, "#/description"),
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
def test_errors_point_to_the_field(
    program: Program, project: Project, body: Any, pointer: str
) -> None:
    answer = program.send("PATCH", f"projects/{project.pk}/", body if body is not None else "null")
    problem = problem_of(answer, 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert all(error["detail"] for error in problem["errors"])


def test_an_internal_error_is_a_problem_without_details(
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

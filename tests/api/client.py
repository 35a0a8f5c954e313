"""A program that uses the API, and what it sends."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Project, User
from api.tokens import create_token
from tests.annotation.uploads.upload_files import NORTH, REFERENCE, SOURCE, SOUTH

# Two ways to rank the candidates of a sentence of the project.
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [2, 1, 3], "4 5 6": [1, 2]}
DETAILS = {"name": "News", "source_language": "en", "target_language": "cs", "parser": "phrases"}


class Program(Client):
    """A client that authenticates with a token and sends JSON."""

    def __init__(self, secret: str = "") -> None:
        super().__init__(headers={"Authorization": f"Bearer {secret}"} if secret else {})

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = "" if body is None else body
        return (
            getattr(self, method.lower())(
                f"/api/v1/{path}", content, content_type="application/json", headers=named
            )
            if method not in ("GET", "HEAD")
            else self.get(f"/api/v1/{path}", headers=named)
        )


def program_of(user: User, scope: str = "write", **options: Any) -> Program:
    return Program(create_token(user=user, name="test", scope=scope, **options)[1])


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """Return the problem document with which the request was refused."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    assert "no-store" in response.headers["Cache-Control"]
    problem: dict[str, Any] = response.json()
    assert set(problem) == {"type", "title", "status", "detail", "instance", "errors"}
    assert problem["status"] == status
    assert problem["detail"]
    return problem


def file(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def texts() -> dict[str, Any]:
    return {
        "source": file("en.txt", SOURCE),
        "references": file("human.txt", REFERENCE),
        "systems": [file("north.txt", NORTH), file("south.txt", SOUTH)],
    }


def create(program: Program, **more: Any) -> Any:
    return program.post("/api/v1/projects/", DETAILS | texts() | more)


def at(project: Project, path: str = "") -> str:
    """Return the address of a part of the project, below /api/v1/."""
    return f"projects/{project.pk}/{path}"

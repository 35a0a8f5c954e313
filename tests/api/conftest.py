"""Programs that ask, and a project that they ask about."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from annotation.models import Project, User
from api.tokens import make_token
from tests.factories import make_annotator, make_project


class Program(Client):
    """A client that shows a token, sends JSON, and says what was answered."""

    def __init__(self, word: str = "") -> None:
        headers = {"Authorization": f"Bearer {word}"} if word else {}
        super().__init__(headers=headers)

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        options: dict[str, Any] = {"headers": named}
        if body is not None:
            options |= {"data": body, "content_type": "application/json"}
        return getattr(self, method.lower())(f"/api/v1/{path}", **options)


@pytest.fixture(autouse=True)
def _nobody_asked_before() -> None:
    for name in caches:
        caches[name].clear()


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.UPLOADS_DIR = tmp_path
    yield tmp_path
    # Whatever came of it, nothing that was sent is left.
    assert not list(tmp_path.iterdir())


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def owner(project: Project) -> User:
    return make_annotator(project, "owner", "owner")


@pytest.fixture
def program(owner: User) -> Program:
    """What may do whatever the owner may."""
    return program_of(owner)


@pytest.fixture
def new_program() -> Callable[..., Program]:
    return program_of


def program_of(user: User, scope: str = "write", **options: Any) -> Program:
    return Program(make_token(user=user, name="test", scope=scope, **options)[1])

"""A project, its owner, and a program with a token of the owner."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches

from annotation.models import Project, User
from tests.api.client import OTHERS, RANKS, Program, program_of
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project


@pytest.fixture(autouse=True)
def _unthrottled() -> None:
    for name in caches:
        caches[name].clear()


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.MEDIA_ROOT = tmp_path
    yield tmp_path
    # Whether a request succeeded or failed, it leaves no file behind.
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def owner(project: Project) -> User:
    return make_annotator(project, "owner", "owner")


@pytest.fixture
def program(owner: User) -> Program:
    return program_of(owner)


@pytest.fixture
def judged(project: Project) -> Project:
    """The project, with two judgements of two sentences and one of the third."""
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    for number in (1, 2):
        submit(project, karel, number, OTHERS)
    return project

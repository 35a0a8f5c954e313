"""A project to let people into, and what they sign in with."""

import pytest

from annotation.models import Project
from tests.factories import make_project

PASSWORD = "nine-quiet-rivers"


@pytest.fixture
def project() -> Project:
    return make_project(sentences=1)


def token_of(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]

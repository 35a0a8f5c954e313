"""A project, its administrator, and a user who is no member; all texts are in English."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils.translation import override

from annotation.models import Project, User
from tests.factories import make_annotator, make_project


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    cache.clear()
    with override("en"):
        yield


@pytest.fixture
def project(db: None) -> Project:
    return make_project(sentences=1)


@pytest.fixture
def boss(project: Project) -> User:
    return make_annotator(project, "boss", "administrator")


@pytest.fixture
def eva(db: None) -> User:
    return User.objects.create(username="eva")

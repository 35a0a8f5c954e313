"""Two projects with accounts of all roles, made once for each file."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.test import override_settings

from tests.security.hostile import Hostile, make_hostile
from tests.security.world import WEBHOOK_HOST, World, make_world
from tests.transactions import undone


@pytest.fixture(autouse=True)
def _unthrottled() -> None:
    for name in caches:
        caches[name].clear()


@pytest.fixture(scope="module")
def made_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("uploads")
    settings = override_settings(UPLOADS_DIR=folder, WEBHOOK_HOSTS=[WEBHOOK_HOST])
    with django_db_blocker.unblock(), settings, undone():
        yield make_world()


@pytest.fixture
def world(made_once: World, db: None) -> Iterator[World]:
    """The world as it was made; what a test changes in the database is rolled back."""
    yield made_once
    made_once.restore_files()


@pytest.fixture(scope="module")
def made_hostile(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hostile]:
    folder = tmp_path_factory.mktemp("uploads")
    with django_db_blocker.unblock(), override_settings(UPLOADS_DIR=folder), undone():
        yield make_hostile()


@pytest.fixture
def hostile(made_hostile: Hostile, db: None) -> Hostile:
    return made_hostile

"""The world in which these tests happen."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import override_settings

from tests.security.hostile import Hostile, make_hostile
from tests.security.world import HOOK_HOST, World, make_world, put_files_back, undoing


@pytest.fixture(autouse=True)
def _nobody_asked_before() -> None:
    """Let nobody be told to wait because of what another test asked."""
    for name in caches:
        caches[name].clear()


@contextmanager
def undone() -> Iterator[None]:
    """Undo in the end whatever was done."""
    with undoing(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def made_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """Make the world for all tests of a file: each of them asks for it many times."""
    folder = tmp_path_factory.mktemp("uploads")
    settings = override_settings(UPLOADS_DIR=folder, WEBHOOK_HOSTS=[HOOK_HOST])
    with django_db_blocker.unblock(), settings, undone():
        yield make_world()


@pytest.fixture
def world(made_once: World, db: None) -> Iterator[World]:
    """The world as it was made; what a test does to it is undone."""
    with undoing():
        yield made_once
    put_files_back(made_once)


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

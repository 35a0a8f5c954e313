"""Two projects with accounts of all roles, made once for each file."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.test import override_settings

from evaluation.rendering.figures.rendering import draw
from evaluation.report import files
from evaluation.web.views import stored_report
from tests.security.hostile import Hostile, make_hostile
from tests.security.world import WEBHOOK_HOST, World, make_world
from tests.transactions import undone

# Images by the arguments that they were drawn with.
_drawn: dict[str, list[dict[str, bytes]]] = {}


def draw_once(*arguments: Any) -> list[dict[str, bytes]]:
    """Draw as `draw` does, which starts a process, but equal figures only once."""
    key = json.dumps(arguments)
    if key not in _drawn:
        _drawn[key] = draw(*arguments)
    return _drawn[key]


@pytest.fixture(autouse=True, scope="module")
def _drawn_once() -> Iterator[None]:
    """Each role gets the same figures; drawing them for each took most of a file's time."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (files, stored_report):
            patched.setattr(module, "draw", draw_once)
        yield


@pytest.fixture(autouse=True)
def _unthrottled() -> None:
    for name in caches:
        caches[name].clear()


@pytest.fixture(scope="module")
def made_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("uploads")
    settings = override_settings(
        MEDIA_ROOT=folder,
        WEBHOOK_HOSTS=[WEBHOOK_HOST],
    )
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
    with django_db_blocker.unblock(), override_settings(MEDIA_ROOT=folder), undone():
        yield make_hostile()


@pytest.fixture
def hostile(made_hostile: Hostile, db: None) -> Hostile:
    return made_hostile

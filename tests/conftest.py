"""What all tests share: fast settings, and the machines and data that some of them need."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connections

from tests import services
from tests.installation import Installation

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SEGRANKS_SHARED") or REPOSITORY.parent / "shared")
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def require(found: object, reason: str) -> None:
    """Skip the test, saying so, where it lacks something; with SEGRANKS_REQUIRE_ALL=1 fail it."""
    if found:
        return
    if os.environ.get("SEGRANKS_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-database",
        action="store_true",
        help="run only tests that another DATABASE_URL may matter to, and no browser",
    )


def pytest_configure(config: pytest.Config) -> None:
    # How long an example takes says more about the machine than about the code.
    hypothesis.settings.register_profile("segranks", deadline=None)
    hypothesis.settings.load_profile("segranks")
    folder = tempfile.mkdtemp(prefix="segranks-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    settings.DATA_DIR = Path(folder)
    settings.STATIC_ROOT = Path(folder) / "static"
    settings.STATIC_ROOT.mkdir()
    # Real passwords are hashed slowly on purpose, and real static files need collecting.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--only-database"):
        chosen = [item for item in items if _uses_the_database(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen


def _uses_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    uses = bool(item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES)
    elsewhere = item.get_closest_marker("browser") or item.get_closest_marker("one_database")
    return uses and not elsewhere


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    # Packed files hold the time: the processes of a test run would not find the same tests.
    return argname if isinstance(val, bytes) else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("shared"):
        require(SHARED.is_dir(), f"{SHARED} is not there: set SEGRANKS_SHARED to the shared data.")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Test on a file, as SQLite is really used, and let several test runs be at work at once."""
    for connection in connections.all():
        on_file = connection.vendor == "sqlite"
        folder = tmp_path_factory.mktemp("database") if on_file else None
        name = str(folder / "test.sqlite3") if folder else f"test_segranks_{os.getpid()}"
        connection.settings_dict["TEST"]["NAME"] = name


@pytest.fixture
def shared() -> Path:
    """The real data of `../shared`, for tests marked `shared`."""
    require(SHARED.is_dir(), f"{SHARED} is not there: set SEGRANKS_SHARED to the shared data.")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    require(path, "There is no Chromium: install Debian's package chromium.")
    return str(path)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    try:
        with services.postgresql_server() as url:
            yield url
    except services.Unavailable as problem:
        require(False, str(problem))


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """A new, empty PostgreSQL database, as a DATABASE_URL."""
    with services.postgresql_database(postgresql_server) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis of our own, as a CELERY_BROKER_URL."""
    try:
        with services.redis_server() as url:
            yield url
    except services.Unavailable as problem:
        require(False, str(problem))


@pytest.fixture(scope="session")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where installations of one test run collect their static files, once."""
    return tmp_path_factory.mktemp("static")


@pytest.fixture
def installation(tmp_path: Path, static_root: Path) -> Iterator[Installation]:
    """SegRanks with an empty data folder, run as people run it: in processes of its own."""
    made = Installation(tmp_path / "data", static_root)
    yield made
    made.end()

"""What all tests share: fast settings, and the machines and data that some of them need."""

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
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
def tables(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, static_root: Path
) -> Path:
    """An SQLite file with all tables, made once for all processes of this run of the tests.

    All the migrations take ten seconds of a processor; to copy the file takes none.
    """
    ours = tmp_path_factory.getbasetemp()
    common = ours.parent if hasattr(request.config, "workerinput") else ours
    made = Installation(common / "tables", static_root)
    # Let go of by itself, also where its holder is killed.
    with (common / "tables.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (common / "tables.made").exists():
            made.manage("migrate", "--verbosity", "0")
            (common / "tables.made").touch()
    return made.data / "segranks.sqlite3"


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """On SQLite the tests find the tables, and Django looks whether they are up to date."""
    return connections["default"].vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Test on a file, as SQLite is really used, and let several test runs be at work at once."""
    for connection in connections.all():
        name = f"test_segranks_{os.getpid()}"
        if connection.vendor == "sqlite":
            name = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
            copy_tables(request.getfixturevalue("tables"), Path(name))
        connection.settings_dict["TEST"]["NAME"] = name


def copy_tables(tables: Path, path: Path) -> None:
    """Make an SQLite file with all tables, and nothing in them."""
    with closing(sqlite3.connect(tables)) as these, closing(sqlite3.connect(path)) as those:
        these.backup(those)


@pytest.fixture
def shared() -> Path:
    """The real data of `../shared`, for tests marked `shared`."""
    require(SHARED.is_dir(), f"{SHARED} is not there: set SEGRANKS_SHARED to the shared data.")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium; the one without windows takes a quarter less time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = next(filter(None, map(shutil.which, names)), None)
    require(path, "There is no Chromium: install Debian's package chromium-headless-shell.")
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
def postgresql_tables(
    postgresql_server: str, tmp_path_factory: pytest.TempPathFactory, static_root: Path
) -> Iterator[str]:
    """The name of a PostgreSQL database with all tables."""
    with services.postgresql_database(postgresql_server) as url:
        made = Installation(tmp_path_factory.mktemp("tables"), static_root, DATABASE_URL=url)
        made.manage("migrate", "--verbosity", "0")
        yield url.rpartition("/")[2]


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


@pytest.fixture
def installed(installation: Installation, tables: Path) -> Installation:
    """SegRanks with its tables, as `manage.py migrate` makes them, and nothing in them."""
    installation.data.mkdir(mode=0o700)
    copy_tables(tables, installation.data / "segranks.sqlite3")
    return installation


@pytest.fixture
def servers(
    installation: Installation, postgresql_server: str, postgresql_tables: str, redis_url: str
) -> Iterator[Installation]:
    """SegRanks on a PostgreSQL database with all tables, and on Redis, for workers of their own."""
    with services.postgresql_database(postgresql_server, like=postgresql_tables) as url:
        installation.environment |= {"DATABASE_URL": url, "CELERY_BROKER_URL": redis_url}
        yield installation


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Let no test see what another has cached: ids are used again after a rollback."""
    cache.clear()

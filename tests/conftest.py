"""Settings and fixtures that all tests share."""

import fcntl
import gc
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import translation

from tests import services
from tests.installation import Installation

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SEGRANKS_SHARED") or REPOSITORY.parent / "shared")

# `make test-all` tries more examples (--hypothesis-profile=full). There is no deadline, because the
# time of an example says more about the machine than about the code.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=25)
hypothesis.settings.register_profile("full", deadline=None)
hypothesis.settings.load_profile("quick")


def require(found: object, reason: str) -> None:
    """Skip the test if `found` is false; with SEGRANKS_REQUIRE_ALL=1 fail it."""
    if found:
        return
    if os.environ.get("SEGRANKS_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.mkdtemp(prefix="segranks-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    settings.DATA_DIR = Path(folder)
    settings.MEDIA_ROOT = Path(folder) / "files"
    settings.STATIC_ROOT = Path(folder) / "static"
    settings.STATIC_ROOT.mkdir()
    settings.DOCS_ROOT = Path(folder) / "docs"
    # The real hasher is slow on purpose, and the real storage needs `collectstatic`.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest files first: the last file of one process must not be a long one."""
    items.sort(key=_late)


def pytest_collection_finish() -> None:
    """Leave modules and tests out of garbage collection, a twelfth of the time of the matrix."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


# Files of more than ten seconds that have no browser.
LONG = (
    "tests/security/", "tests/annotation/judging/test_batches.py",
    "tests/operations/test_backups.py", "tests/evaluation/stats/test_coverage.py",
    "tests/documentation/test_commands.py",
)  # fmt: skip


def _late(item: pytest.Item) -> int:
    if item.get_closest_marker("browser"):
        return 0
    if item.get_closest_marker("process") or item.nodeid.startswith(LONG):
        return 1
    return 2


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    # Zip files contain the time, and all xdist processes must collect tests of the same names.
    return argname if isinstance(val, bytes) else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("shared"):
        require(SHARED.is_dir(), f"{SHARED} does not exist: set SEGRANKS_SHARED.")


@pytest.fixture(scope="session")
def prepared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with collected static files and empty tables, made once for all xdist processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "prepared"
    folder.mkdir(exist_ok=True)
    # The system releases this lock even if the process that has it is killed.
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            installation = Installation(folder / "tables", folder / "static")
            installation.call("collectstatic", "--noinput", "--verbosity", "0")
            installation.call("migrate", "--verbosity", "0")
            installation.end()
            (folder / "done").touch()
    return folder


@pytest.fixture(scope="session")
def tables(prepared: Path) -> Path:
    """An SQLite file with empty tables, which tests that start SegRanks copy."""
    return prepared / "tables" / "segranks.sqlite3"


def deletions(_style: object, tables: Iterable[str], **_options: object) -> list[str]:
    """Return what empties tables of PostgreSQL; TRUNCATE takes a second, because it makes files.

    Foreign keys are checked at the end of the transaction, when all tables are empty.
    """
    return [f'DELETE FROM "{table}"' for table in tables]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Test SQLite in a file, as it is used in production, and allow simultaneous test runs."""
    for connection in connections.all():
        name = f"test_segranks_{os.getpid()}"
        if connection.vendor == "sqlite":
            name = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        else:
            connection.settings_dict["OPTIONS"]["options"] = "-c synchronous_commit=off"
            vars(connection.ops)["sql_flush"] = deletions
        connection.settings_dict["TEST"]["NAME"] = name
        # Six seconds less in each process; `make migrations-check` shows that the models are those
        # of the migrations.
        connection.settings_dict["TEST"]["MIGRATE"] = False


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Record the migrations, which made no table here, so that no code takes them for missing."""
    with django_db_blocker.unblock():
        connection = connections[DEFAULT_DB_ALIAS]
        recorder = MigrationRecorder(connection)
        recorder.ensure_schema()
        recorder.migration_qs.bulk_create(
            recorder.Migration(app=app, name=name)
            for app, name in MigrationLoader(connection).disk_migrations
        )


def copy_tables(tables: Path, path: Path) -> None:
    """Copy an SQLite database with empty tables to a new file."""
    with closing(sqlite3.connect(tables)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)


@pytest.fixture
def shared() -> Path:
    """The folder of real data `../shared`, for tests marked `shared`."""
    require(SHARED.is_dir(), f"{SHARED} does not exist: set SEGRANKS_SHARED.")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, preferably the headless shell, which is a quarter faster."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = next(filter(None, map(shutil.which, names)), None)
    require(path, "Chromium is missing: install Debian's package chromium-headless-shell.")
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
    """The name of a PostgreSQL database with empty tables, to be copied as a template."""
    with services.postgresql_database(postgresql_server) as url:
        made = Installation(tmp_path_factory.mktemp("tables"), static_root, DATABASE_URL=url)
        made.call("migrate", "--verbosity", "0")
        # A database that has a connection cannot be copied.
        made.end()
        yield url.rpartition("/")[2]


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A new Redis server, as a CELERY_BROKER_URL."""
    try:
        with services.redis_server() as url:
            yield url
    except services.Unavailable as problem:
        require(False, str(problem))


@pytest.fixture(scope="session")
def static_root(prepared: Path) -> Path:
    """The folder of the collected static files of all installations."""
    return prepared / "static"


@pytest.fixture
def installation(tmp_path: Path, static_root: Path) -> Iterator[Installation]:
    """SegRanks with an empty data folder, run in its own processes."""
    made = Installation(tmp_path / "data", static_root)
    yield made
    made.end()


@pytest.fixture
def installed(installation: Installation, tables: Path) -> Installation:
    """SegRanks after `manage.py migrate`, with empty tables."""
    installation.data.mkdir(mode=0o700)
    copy_tables(tables, installation.data / "segranks.sqlite3")
    return installation


@pytest.fixture
def servers(
    installation: Installation, postgresql_server: str, postgresql_tables: str, redis_url: str
) -> Iterator[Installation]:
    """SegRanks on PostgreSQL with empty tables and on Redis, so that tests can start workers."""
    with services.postgresql_database(postgresql_server, like=postgresql_tables) as url:
        installation.environment |= {"DATABASE_URL": url, "CELERY_BROKER_URL": redis_url}
        yield installation


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    """Let no test see what another has cached, or the language that it asked for."""
    cache.clear()
    translation.activate(settings.LANGUAGE_CODE)

"""Settings of SQLite connections, and the tables on PostgreSQL."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.installation import Installation

pytestmark = pytest.mark.process

PRAGMAS = """
import json
from django.db import connection, transaction
with connection.cursor() as cursor:
    found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
             for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")}
begun = []
connection.ensure_connection()
connection.connection.set_trace_callback(begun.append)
with transaction.atomic():
    pass
print(json.dumps(found | {"begun": begun[0], "file": connection.settings_dict["NAME"]}))
"""

MODES = """
import json
from pathlib import Path
from django.db import connection
connection.cursor().execute("CREATE TABLE new (id)")
file = Path(connection.settings_dict["NAME"])
files = file.parent.glob(f"{file.name}*")
print(json.dumps({path.name: path.stat().st_mode & 0o777 for path in files}))
"""


def test_sqlite_is_set_up_to_be_shared(installation: Installation) -> None:
    found = json.loads(installation.execute(PRAGMAS))
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "busy_timeout": 20_000,
        "foreign_keys": 1,
        "begun": "BEGIN IMMEDIATE",
        "file": str(installation.data / "segranks.sqlite3"),
    }


@pytest.mark.parametrize("url", ["", "sqlite:///{elsewhere}/file.sqlite3"])
@pytest.mark.parametrize("exists", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_only_their_owner_can_read_the_files_of_sqlite(
    installation: Installation, tmp_path: Path, url: str, exists: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    installation.environment["DATABASE_URL"] = url.format(elsewhere=elsewhere)
    file = elsewhere / "file.sqlite3" if url else installation.data / "segranks.sqlite3"
    # As an older version left them when it was killed.
    if exists:
        installation.data.mkdir(mode=0o755)
        old = sqlite3.connect(file)
        old.execute("PRAGMA journal_mode=WAL")
        old.execute("CREATE TABLE old (id)")
        for path in file.parent.glob(f"{file.name}*"):
            path.chmod(0o644)
    modes = json.loads(installation.execute(MODES))
    assert modes == {f"{file.name}{suffix}": 0o600 for suffix in ("", "-wal", "-shm")}
    assert installation.data.stat().st_mode & 0o777 == 0o700


@pytest.mark.postgresql
def test_all_tables_can_be_made_on_postgresql(
    installation: Installation, postgresql_url: str
) -> None:
    installation.environment["DATABASE_URL"] = postgresql_url
    installation.manage("migrate", "--verbosity", "0")
    assert installation.query("Project.objects.count()") == 0
    assert list(installation.data.glob("*.sqlite3")) == []

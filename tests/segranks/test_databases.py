"""The same code on an SQLite file of any name and on PostgreSQL, with what each needs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.installation import Installation

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


# Whether the connection counts as usable, and what the server was asked last on it.
USABLE = """
import json, psycopg2, select
from django.db import connection
connection.ensure_connection()
pid = connection.connection.info.backend_pid
other = psycopg2.connect(**{k: v for k, v in connection.get_connection_params().items() if k in
                            ("dbname", "user", "password", "host", "port")})
other.autocommit = True

def from_other(query):
    with other.cursor() as cursor:
        cursor.execute(query)
        return (cursor.fetchone() or [None])[0]

def found():
    usable = connection.is_usable()
    query = f"SELECT query FROM pg_stat_activity WHERE pid = {pid} UNION SELECT NULL ORDER BY 1"
    return [usable, from_other(query)]

def ask_mine():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'mine'")

def wait():
    assert select.select([connection.connection], [], [], 20)[0]

ask_mine()
all_found = [found()]
ask_mine()
all_found += [found()]
connection._looked_at -= 6
all_found += [found()]
ask_mine()
connection.errors_occurred = True
all_found += [found()]
connection.errors_occurred = False
with connection.cursor() as cursor:
    cursor.execute("LISTEN news")
from_other("SELECT pg_notify('news', 'good')")
wait()
all_found += [found()]
from_other(f"SELECT pg_terminate_backend({pid})")
wait()
all_found += [found()]
print(json.dumps(all_found))
"""


def pragmas(installation: Installation) -> dict[str, Any]:
    return dict(json.loads(installation.execute(PRAGMAS)))


def test_sqlite_is_set_up_to_be_shared(installation: Installation) -> None:
    found = pragmas(installation)
    assert found == {
        "journal_mode": "wal",
        "synchronous": 1,  # NORMAL
        "busy_timeout": 20_000,
        "foreign_keys": 1,
        "begun": "BEGIN IMMEDIATE",
        "file": str(installation.data / "segranks.sqlite3"),
    }


def test_an_sqlite_file_of_any_place_is_set_up_alike(
    installation: Installation, tmp_path: Path
) -> None:
    usual = pragmas(installation)
    path = tmp_path / "elsewhere.sqlite3"
    installation.environment["DATABASE_URL"] = f"sqlite:///{path}"
    assert pragmas(installation) == usual | {"file": str(path)}
    assert path.exists()


@pytest.mark.postgresql
def test_postgresql_is_asked_whether_it_is_there_only_where_that_is_in_doubt(
    installation: Installation, postgresql_url: str
) -> None:
    installation.environment["DATABASE_URL"] = postgresql_url
    asked = "SELECT 1"
    assert json.loads(installation.execute(USABLE)) == [
        # For the first time; as it was left; after six seconds; after an error; while it is told of
        # something; after its end.
        [True, asked],
        [True, "SELECT 'mine'"],
        [True, asked],
        [True, asked],
        [True, asked],
        [False, None],
    ]


@pytest.mark.postgresql
def test_all_tables_can_be_made_on_postgresql(
    installation: Installation, postgresql_url: str
) -> None:
    installation.environment["DATABASE_URL"] = postgresql_url
    installation.manage("migrate", "--verbosity", "0")
    assert installation.query("Project.objects.count()") == 0
    assert list(installation.data.glob("*.sqlite3")) == []

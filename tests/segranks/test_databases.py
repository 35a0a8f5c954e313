"""Settings of SQLite connections, and the tables on PostgreSQL."""

import json

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


def test_sqlite_is_set_up_to_be_shared(installation: Installation) -> None:
    found = json.loads(installation.execute(PRAGMAS))
    assert found == {
        "journal_mode": "wal",
        "synchronous": 1,  # NORMAL
        "busy_timeout": 20_000,
        "foreign_keys": 1,
        "begun": "BEGIN IMMEDIATE",
        "file": str(installation.data / "segranks.sqlite3"),
    }


@pytest.mark.postgresql
def test_all_tables_can_be_made_on_postgresql(
    installation: Installation, postgresql_url: str
) -> None:
    installation.environment["DATABASE_URL"] = postgresql_url
    installation.manage("migrate", "--verbosity", "0")
    assert installation.query("Project.objects.count()") == 0
    assert list(installation.data.glob("*.sqlite3")) == []

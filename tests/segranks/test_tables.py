"""The tables of the tests, made from the models, are those of the migrations."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.db import connection


def _tables(database: sqlite3.Connection) -> dict[tuple[str, str], Any]:
    """Return the definitions; the columns and constraints of a table in no order."""
    rows = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {
        (kind, name): _parts(sql) if kind == "table" else sql
        for kind, name, sql in rows
        if name not in {"django_migrations", "sqlite_sequence"}
    }


def _parts(sql: str) -> list[str]:
    depth, parts, quoted = 0, [""], False
    for letter in re.sub(r"\s+", " ", sql.partition("(")[2].rpartition(")")[0]):
        quoted ^= letter == "'"
        depth += 0 if quoted else (letter == "(") - (letter == ")")
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return sorted(part.strip() for part in parts)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="It reads SQLite's own tables.")
def test_models_and_migrations_make_the_same_tables(tables: Path) -> None:
    connection.ensure_connection()
    with sqlite3.connect(tables) as migrated:
        assert _tables(connection.connection) == _tables(migrated)

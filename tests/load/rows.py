"""Insert rows fast: by COPY in PostgreSQL, by executemany in SQLite."""

import json
from collections.abc import Iterable
from datetime import datetime
from io import StringIO
from itertools import islice
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models

# The number of rows in memory.
BATCH = 20_000


def write(model: type[models.Model], rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows, which name the columns without a default, in parts."""
    fields = model._meta.concrete_fields
    defaults = {field.attname: field.get_default() for field in fields}
    columns = ", ".join(f'"{field.column}"' for field in fields)
    table, waiting = model._meta.db_table, iter(rows)
    while batch := list(islice(waiting, BATCH)):
        values = [[row.get(name, default) for name, default in defaults.items()] for row in batch]
        if connection.vendor == "postgresql":
            _copy(table, columns, values)
        else:
            _insert(table, columns, values)


def _copy(table: str, columns: str, rows: list[list[Any]]) -> None:
    lines = StringIO("".join("\t".join(map(_as_text, row)) + "\n" for row in rows))
    with connection.cursor() as cursor:
        cursor.cursor.copy_expert(f"COPY {table} ({columns}) FROM STDIN", lines)


def _as_text(value: Any) -> str:
    if value is None:
        return "\\N"
    return json.dumps(value) if isinstance(value, dict) else str(value)


def _insert(table: str, columns: str, rows: list[list[Any]]) -> None:
    marks = ", ".join(["%s"] * len(rows[0]))
    values = [[_as_sqlite(value) for value in row] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values)


def _as_sqlite(value: Any) -> Any:
    is_moment = isinstance(value, datetime)
    value = connection.ops.adapt_datetimefield_value(value) if is_moment else value
    return json.dumps(value) if isinstance(value, dict) else value


def go_on_counting() -> None:
    """Set the sequence of each table to the id after the inserted rows."""
    with connection.cursor() as cursor:
        tables = connection.introspection.installed_models(connection.introspection.table_names())
        for statement in connection.ops.sequence_reset_sql(no_style(), list(tables)):
            cursor.execute(statement)

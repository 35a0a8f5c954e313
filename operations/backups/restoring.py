"""Restoring a backup into an empty database: all of it, or nothing."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

from django.apps.registry import Apps
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DataError, IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from django.db.models.sql import InsertQuery

from annotation.formats.errors import InputError
from annotation.formats.plain_text import open_binary, unpacked
from operations.backups.records import FORMAT, VERSION, AnyField, parse, stored
from operations.backups.writing import points_at

# What is written at once: rows, and bytes of their lines.
ROWS = 500
BYTES = 4_000_000
# What making the tables puts into them.
MADE_WITH_TABLES = ("auth_permission", "django_content_type")
KEPT_BY_MIGRATIONS = "django_migrations"

Migration = tuple[str, str]


@dataclass(frozen=True)
class Restored:
    """What is in the database now."""

    made: str
    rows: int


def restore(path: Path) -> Restored:
    """Restore the backup from a file, or from standard input for "-"; bring tables up to date.

    Memory does not grow with it. Raises InputError where the database holds anything, where the
    file is no backup, is damaged or incomplete, or was made by a later version; the database is
    then as empty as before.
    """
    # Reopening standard input by its name needs rights that a container may lack.
    standard_input = cast(BufferedReader, sys.stdin.buffer)
    with unpacked(standard_input, path) if str(path) == "-" else open_binary(path) as file:
        lines = Lines(file, path)
        header = _header(lines)
        migrations = {(app, name) for app, name in header["migrations"]}
        refuse_unless_empty(migrations)
        models = _make_tables(migrations, path)
        try:
            with transaction.atomic():
                _empty_again()
                rows = _load(lines, models)
        except (DataError, IntegrityError) as problem:
            raise InputError(
                f"{path}, near line {lines.number}: the database does not take this "
                f"({str(problem).splitlines()[0]}). Nothing was restored."
            ) from problem
    call_command("migrate", interactive=False, verbosity=0)
    return Restored(made=header["made"], rows=rows)


class Lines:
    """The lines of a backup, counted, with the sum of those so far."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path
        self.number = 0
        self.size = 0
        self.digest = hashlib.sha256()

    @property
    def here(self) -> str:
        return f"{self.path}, line {self.number}"

    def next(self) -> Any:
        """Return what the next line holds. Raises InputError."""
        text = self._file.readline()
        self.number += 1
        if not text.endswith(b"\n"):
            raise InputError(
                f"{self.here}: the file ends here, and is no complete backup. Nothing was restored."
            )
        self.size = len(text)
        record = parse(text, self.here)
        if not (isinstance(record, dict) and record.get("end") is True):
            self.digest.update(text)
        return record

    def damaged(self, what: str) -> InputError:
        return InputError(f"{self.here}: {what}. The file is damaged; nothing was restored.")


def _header(lines: Lines) -> dict[str, Any]:
    try:
        header = lines.next()
    except InputError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{lines.path} is no backup: give a file that `manage.py backup` wrote.")
    if header.get("version") != VERSION:
        raise InputError(
            f"{lines.path} is a backup of version {header.get('version')}, and this SegRanks reads "
            f"version {VERSION}: restore it with SegRanks {header.get('segranks')}."
        )
    return header


def refuse_unless_empty(migrations: set[Migration]) -> None:
    """Raise InputError where any table has rows, or the tables are later than the backup's."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table in (*MADE_WITH_TABLES, KEPT_BY_MIGRATIONS) or table.startswith("sqlite_"):
                continue
            cursor.execute(f"SELECT 1 FROM {quote(table)} LIMIT 1")  # noqa: S608  # its own names
            if cursor.fetchone():
                raise InputError(
                    f"The database is not empty ({table} has rows): restore into a new one."
                )
    later = set(MigrationExecutor(connection).loader.applied_migrations) - migrations
    if later:
        raise InputError(
            f"The tables of the database are later than the backup ({_name(later)}): restore into "
            "a new database, without tables; they are brought up to date afterwards."
        )


def _make_tables(migrations: set[Migration], path: Path) -> Apps:
    """Make the tables as they were when the backup was made; return their models."""
    executor = MigrationExecutor(connection)
    unknown = migrations - set(executor.loader.disk_migrations)
    if unknown:
        raise InputError(
            f"{path} was made by a later SegRanks, or another ({_name(unknown)} is not known "
            "here): restore it with that one."
        )
    nodes = executor.loader.graph.node_map
    last = [
        key
        for key in sorted(migrations)
        if not any(
            child.key in migrations and child.key[0] == key[0] for child in nodes[key].children
        )
    ]
    executor.migrate(last)
    return executor.loader.project_state(last).apps


def _name(migrations: set[Migration]) -> str:
    return ".".join(min(migrations))


def _empty_again() -> None:
    with connection.cursor() as cursor:
        there = connection.introspection.table_names(cursor)
        for table in MADE_WITH_TABLES:
            if table in there:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608


def _load(lines: Lines, models: Apps) -> int:
    """Write all rows; return how many."""
    total = 0
    written: list[type[Model]] = []
    while "end" not in (record := _table(lines)):
        model, fields = _model(lines, models, record)
        written.append(model)
        # Keys can be checked as soon as what they point at is there: else all wait to the end.
        complete = points_at(model) <= set(written)
        check = connection.check_constraints if _checks_at_once() and complete else None
        rows = _rows(lines, fields)
        count = _write(model, fields, rows, check if model not in points_at(model) else None)
        if check:
            check()
        total += count
    if record.get("rows") != total or record.get("sha256") != lines.digest.hexdigest():
        raise lines.damaged("the sum of the lines is another")
    statements = connection.ops.sequence_reset_sql(no_style(), written)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    return total


def _checks_at_once() -> bool:
    # PostgreSQL keeps in memory what it has still to check; SQLite counts, and looks everywhere.
    return connection.vendor == "postgresql"


def _table(lines: Lines) -> dict[str, Any]:
    record = lines.next()
    if not isinstance(record, dict) or not ({"table", "end"} & set(record)):
        raise lines.damaged("a table should begin here")
    return record


def _model(
    lines: Lines, models: Apps, record: dict[str, Any]
) -> tuple[type[Model], list[AnyField]]:
    try:
        model = models.get_model(record["table"])
        by_column = {field.attname: field for field in model._meta.concrete_fields}
        fields = [by_column.pop(name) for name in record["columns"]]
    except (LookupError, FieldDoesNotExist, ValueError, TypeError) as problem:
        raise lines.damaged(f"there is no such table or column ({problem})") from problem
    if any(not getattr(field, "generated", False) for field in by_column.values()):
        raise lines.damaged(f"columns are missing ({', '.join(sorted(by_column))})")
    return model, fields


def _rows(lines: Lines, fields: list[AnyField]) -> Iterator[SimpleNamespace]:
    """Yield the rows of a table up to the line that counts them."""
    count = 0
    while isinstance(record := lines.next(), list):
        count += 1
        try:
            values = stored(fields, record)
        except (ValidationError, ValueError) as problem:
            raise lines.damaged(f"this is no such row ({problem})") from problem
        yield SimpleNamespace(
            **{field.attname: value for field, value in zip(fields, values, strict=True)},
            size=lines.size,
        )
    if record != {"rows": count}:
        raise lines.damaged("rows are missing")


def _write(
    model: type[Model],
    fields: list[AnyField],
    rows: Iterator[SimpleNamespace],
    check: Callable[[], None] | None,
) -> int:
    count = 0
    batch: list[Any] = []
    size = 0
    most = min(ROWS, connection.ops.bulk_batch_size(fields, [None] * ROWS))
    for row in rows:
        batch.append(row)
        size += row.size
        count += 1
        if len(batch) >= most or size >= BYTES:
            _insert(model, fields, batch)
            batch, size = [], 0
            if check:
                check()
    _insert(model, fields, batch)
    return count


def _insert(model: type[Model], fields: list[AnyField], batch: list[Any]) -> None:
    if batch:
        # As it is: neither defaults nor the time of now are filled in.
        query = InsertQuery(model)
        query.insert_values(fields, batch, raw=True)
        query.get_compiler(connection=connection).execute_sql()

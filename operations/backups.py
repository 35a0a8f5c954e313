"""Backups: everything in the database as one file, which SQLite and PostgreSQL can restore.

The file has lines of JSON:

{"format": "segranks-backup", "version": 1, "segranks": "1.0.0", "made": "2026-…",
 "migrations": [["annotation", "0001_release_1_0"], …]}
{"table": "annotation.user", "columns": ["id", "password", …]}
[1, "…", …]                                        a row, for each row
{"rows": 17}                                       after the last row of each table
{"end": true, "rows": 4711, "sha256": "…"}         of all lines before
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from graphlib import TopologicalSorter
from io import BufferedReader
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Literal, TypeAlias, TypeVar, cast
from uuid import UUID

import msgspec
from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DataError, IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
    Value,
)
from django.db.models.sql import InsertQuery
from django.utils.duration import duration_iso_string
from msgspec import Struct
from msgspec.json import Decoder

from annotation.common.transactions import snapshot
from annotation.formats import strict_json
from annotation.formats.errors import InputError
from annotation.formats.plain_text import open_binary, unpacked
from annotation.process import clock

FORMAT = "segranks-backup"
BACKUP_VERSION = 1
# Rows held at once, and rows with columns of any size.
ROWS_PER_BATCH = 1000
LARGE_PAGE = 10
# A line holds one row; none is nearly this long.
LONGEST_LINE = 256_000_000
# Bytes of a line that are read at once.
PART_OF_LINE = 1_000_000
# Tables that have rows as soon as they are created.
FILLED_BY_MIGRATE = ("auth_permission", "django_content_type")
MIGRATIONS_TABLE = "django_migrations"

Migration: TypeAlias = tuple[str, str]
AnyField: TypeAlias = "Field[Any, Any]"

# What JSON has in columns of these kinds; in others, texts.
_JSON_TYPES: tuple[tuple[type[AnyField], tuple[type, ...]], ...] = (
    (BooleanField, (bool,)),
    (IntegerField, (int,)),
    (FloatField, (float, int)),
)


# --- values ----------------------------------------------------------------------------------


def to_json(fields: Iterable[AnyField], row: Iterable[Any]) -> list[Any]:
    """Return the values of a row as JSON, without loss."""
    return [_to_json(field, value) for field, value in zip(fields, row, strict=True)]


def _to_json(field: AnyField, value: Any) -> Any:
    if value is None or isinstance(field, JSONField) or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_iso_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(field, BinaryField):
        return field.value_to_string(cast(Model, SimpleNamespace(**{field.attname: value})))
    raise TypeError(f"{field} has a {type(value)}, which a backup cannot represent")


def from_json(fields: Iterable[AnyField], row: Iterable[Any]) -> list[Any]:
    """Return the values of a row for the database, unless they are of other types.

    Raises ValidationError, ValueError.
    """
    return [_from_json(field, value) for field, value in zip(fields, row, strict=True)]


def _from_json(field: AnyField, value: Any) -> Any:
    _check_type(field, value)
    if isinstance(field, JSONField):
        # In a column that is never NULL, None is the null of JSON.
        return Value(None, field) if value is None and not field.null else value
    return field.to_python(value)


def _check_type(field: AnyField, value: Any) -> None:
    """Raise ValueError for a value that no backup has in this column.

    SQLite stores any value in any column.
    """
    kind: Any = field
    while isinstance(kind, ForeignKey):
        kind = kind.target_field
    if isinstance(kind, JSONField):
        return
    if value is None:
        if not field.null:
            raise ValueError(f"{field.attname} is null")
        return
    wanted = next((types for of_kind, types in _JSON_TYPES if isinstance(kind, of_kind)), (str,))
    # Not `isinstance`: for Python, True is a number.
    if type(value) not in wanted:
        raise ValueError(f"{field.attname} is a {type(value).__name__}")
    if isinstance(kind, CharField) and kind.max_length and len(value) > kind.max_length:
        raise ValueError(f"{field.attname} has more than {kind.max_length} characters")
    if isinstance(kind, IntegerField):
        least, most = connection.ops.integer_field_range(kind.get_internal_type())
        if not (least is None or least <= value) or not (most is None or value <= most):
            raise ValueError(f"{field.attname} is {value}, which is out of range")


# --- backup ----------------------------------------------------------------------------------


def backup() -> Iterator[bytes]:
    """Yield the lines of a backup of the whole database, as it is when the first one is taken.

    Memory does not grow with the database. Raises InputError if its tables are not up to date.
    """
    digest = hashlib.sha256()
    total = 0
    with snapshot():
        for record in _records():
            total += isinstance(record, list)
            line = _json_line(record)
            digest.update(line)
            yield line
    yield _json_line({"end": True, "rows": total, "sha256": digest.hexdigest()})


def _json_line(record: object) -> bytes:
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        raise InputError(f"A row has more than {LONGEST_LINE:,} bytes, which no backup can have.")
    return line


def _records() -> Iterator[object]:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise InputError("The tables are not up to date: run `manage.py migrate` first.")
    known = executor.loader.disk_migrations
    yield {
        "format": FORMAT,
        "version": BACKUP_VERSION,
        "segranks": settings.VERSION,
        "made": clock.now().isoformat(),
        "migrations": sorted(key for key in executor.loader.applied_migrations if key in known),
    }
    for model in _tables():
        fields = [
            field for field in model._meta.concrete_fields if not getattr(field, "generated", False)
        ]
        names = [field.attname for field in fields]
        yield {"table": model._meta.label_lower, "columns": names}
        is_large = any(isinstance(field, BinaryField | JSONField) for field in fields)
        rows = model._base_manager.order_by("pk").values_list(*names)
        count = 0
        for row in rows.iterator(chunk_size=LARGE_PAGE if is_large else ROWS_PER_BATCH):
            count += 1
            yield to_json(fields, row)
        yield {"rows": count}


def _tables() -> list[type[Model]]:
    """Return the models of all tables, each after those that its foreign keys refer to."""
    models = {
        model._meta.label_lower: model
        for model in _stored(apps.get_models(include_auto_created=True))
    }
    referred = {
        label: {
            field.remote_field.model._meta.concrete_model._meta.label_lower  # type: ignore[union-attr]
            for field in model._meta.concrete_fields
            if isinstance(field, ForeignKey)
        }
        for label, model in sorted(models.items())
    }
    graph = {label: others - {label} for label, others in referred.items()}
    return [models[label] for label in TopologicalSorter(graph).static_order()]


def _stored(models: Iterable[type[Model]]) -> list[type[Model]]:
    """Return the models that have a table of their own."""
    return [model for model in models if model._meta.managed and not model._meta.proxy]


# --- restore ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Restored:
    """When the restored backup was made, and how many rows it had."""

    made: str
    rows: int


def restore(path: Path) -> Restored:
    """Restore the backup from a file, or from standard input for "-", and migrate the tables.

    Memory does not grow with it. Raises InputError, and leaves the database empty, if the file is
    no backup, is damaged or incomplete, or was made by a later version. Raises it, too, if the
    database is not empty.
    """
    # To reopen standard input by its name needs rights that a container may lack.
    standard_input = cast(BufferedReader, sys.stdin.buffer)
    with unpacked(standard_input, path) if str(path) == "-" else open_binary(path) as file:
        lines = _Lines(file, path)
        header = _read_header(lines)
        migrations = set(header.migrations)
        _refuse_unless_empty(migrations)
        models = _create_tables(migrations, path)
        try:
            with transaction.atomic():
                rows = _load(lines, models)
        except (DataError, IntegrityError, OverflowError) as problem:
            raise InputError(
                f"{path}, near line {lines.number}: the database refuses this "
                f"({str(problem).splitlines()[0]}). Nothing was restored."
            ) from problem
    call_command("migrate", interactive=False, verbosity=0)
    return Restored(made=header.made, rows=rows)


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that is no row."""


class _Header(_Line, frozen=True):
    format: str
    version: int
    segranks: str
    made: str
    migrations: list[Migration]


class _Table(_Line, frozen=True):
    table: str
    columns: list[str]


class _TableEnd(_Line, frozen=True):
    rows: int


class _End(_Line, frozen=True):
    end: Literal[True]
    rows: int
    sha256: str


_AnyLine = TypeVar("_AnyLine", bound=_Line)
_json = Decoder(Any)


class _Lines:
    """The lines of a backup, with the number of the last one and a checksum of all so far."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self.path = path
        self.number = 0
        self.digest = hashlib.sha256()

    def next(self) -> Any:
        """Return the next line's JSON. Raises InputError."""
        text = self._read()
        self.number += 1
        if len(text) > LONGEST_LINE:
            raise self.damaged(f"the line has more than {LONGEST_LINE:,} bytes")
        if not text.endswith(b"\n"):
            raise self.damaged("the file ends too early")
        del text[-1]
        try:
            record = strict_json.decode(text, _json, "")
        except InputError as problem:
            raise self.damaged(str(problem).removeprefix(": ").rstrip(".")) from None
        if not (isinstance(record, dict) and "end" in record):
            self.digest.update(text)
            self.digest.update(b"\n")
        return record

    def _read(self) -> bytearray:
        """Return the next line, or its beginning if it is longer than LONGEST_LINE."""
        # By `readline` at once, a long line would be in memory twice.
        text = bytearray()
        while part := self._file.readline(PART_OF_LINE):
            text += part
            if part.endswith(b"\n") or len(text) > LONGEST_LINE:
                break
        return text

    def convert(self, record: Any, kind: type[_AnyLine], expected: str) -> _AnyLine:
        """Return the JSON of the last line as a record of this kind. Raises InputError."""
        try:
            return msgspec.convert(record, kind)
        except msgspec.ValidationError as problem:
            raise self.damaged(f"{expected} ({problem})") from None

    def is_over(self) -> bool:
        return not self._file.read(1)

    def damaged(self, what: str) -> InputError:
        where = f"{self.path}, line {self.number}"
        return InputError(f"{where}: {what}. The file is damaged; nothing was restored.")


def _read_header(lines: _Lines) -> _Header:
    try:
        header = lines.next()
    except InputError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{lines.path} is no backup: give a file that `manage.py backup` wrote.")
    if header.get("version") != BACKUP_VERSION:
        raise InputError(
            f"{lines.path} is a backup of version {header.get('version')}, and this SegRanks reads "
            f"version {BACKUP_VERSION}: restore it with SegRanks {header.get('segranks')}."
        )
    return lines.convert(header, _Header, "the first line is malformed")


def _refuse_unless_empty(migrations: set[Migration]) -> None:
    """Raise InputError if any table has rows, or the tables are later than the backup's."""
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table in (*FILLED_BY_MIGRATE, MIGRATIONS_TABLE) or table.startswith("sqlite_"):
                continue
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                raise InputError(
                    f"The database is not empty ({table} has rows): restore into a new one."
                )
    later = set(MigrationExecutor(connection).loader.applied_migrations) - migrations
    if later:
        raise InputError(
            f"The tables of the database are later than the backup ({'.'.join(min(later))}): "
            "restore into a new database without tables."
        )


def _create_tables(migrations: set[Migration], path: Path) -> Apps:
    """Create the tables as they were when the backup was made; return their models."""
    executor = MigrationExecutor(connection)
    unknown = migrations - set(executor.loader.disk_migrations)
    if unknown:
        raise InputError(
            f"{path} was made by a later SegRanks ({'.'.join(min(unknown))} is not known here): "
            "restore it with that version."
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


def _load(lines: _Lines, models: Apps) -> int:
    """Store all rows; return how many."""
    with connection.cursor() as cursor:
        existing = connection.introspection.table_names(cursor)
        for table in FILLED_BY_MIGRATE:
            if table in existing:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608
    total = 0
    loaded: list[type[Model]] = []
    while not isinstance(record := _read_table(lines), _End):
        model, fields = _model(lines, models, record)
        if model in loaded:
            raise lines.damaged(f"the table {record.table} stands here again")
        loaded.append(model)
        rows = _table_rows(lines, fields)
        most = min(ROWS_PER_BATCH, connection.ops.bulk_batch_size(fields, [None] * ROWS_PER_BATCH))
        is_large = any(isinstance(field, BinaryField | JSONField) for field in fields)
        while batch := list(islice(rows, LARGE_PAGE if is_large else most)):
            # The values as they are: neither defaults nor `auto_now` are filled in.
            query = InsertQuery(model)
            query.insert_values(fields, cast(list[Model], batch), raw=True)
            query.get_compiler(connection=connection).execute_sql()
            total += len(batch)
        if connection.vendor == "postgresql":
            # It keeps unchecked foreign keys in memory; all that these refer to is loaded.
            connection.check_constraints()
    if record.rows != total or record.sha256 != lines.digest.hexdigest():
        raise lines.damaged("the checksum is wrong")
    if not lines.is_over():
        raise lines.damaged("there is more after the last line")
    missing = set(_stored(models.get_models(include_auto_created=True))) - {*loaded}
    if missing:
        names = sorted(model._meta.label_lower for model in missing)
        raise lines.damaged(f"there is no table {names[0]}")
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), loaded):
            cursor.execute(statement)
    return total


def _read_table(lines: _Lines) -> _Table | _End:
    record = lines.next()
    if isinstance(record, dict) and "end" in record:
        return lines.convert(record, _End, "the last line is malformed")
    return lines.convert(record, _Table, "a table should begin here")


def _model(lines: _Lines, models: Apps, record: _Table) -> tuple[type[Model], list[AnyField]]:
    try:
        model = models.get_model(record.table)
        by_column = {field.attname: field for field in model._meta.concrete_fields}
        fields = [by_column.pop(name) for name in record.columns]
    except (LookupError, FieldDoesNotExist, ValueError) as problem:
        raise lines.damaged(f"there is no such table or column ({problem})") from problem
    if any(not getattr(field, "generated", False) for field in by_column.values()):
        raise lines.damaged(f"columns are missing ({', '.join(sorted(by_column))})")
    return model, fields


def _table_rows(lines: _Lines, fields: list[AnyField]) -> Iterator[SimpleNamespace]:
    """Yield the rows of a table, up to the line with their number."""
    count = 0
    while isinstance(record := lines.next(), list):
        count += 1
        try:
            values = from_json(fields, record)
        except (ValidationError, ValueError, OverflowError) as problem:
            said = problem.messages[0] if isinstance(problem, ValidationError) else problem
            raise lines.damaged(f"the row is malformed ({said})") from problem
        names = (field.attname for field in fields)
        yield SimpleNamespace(**dict(zip(names, values, strict=True)))
    if lines.convert(record, _TableEnd, "rows are missing").rows != count:
        raise lines.damaged("rows are missing")

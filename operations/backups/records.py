"""The lines of a backup: JSON each, and what a value of a column looks like there.

{"format": "segranks-backup", "version": 1, "segranks": "0.1.0", "made": "2026-…",
 "migrations": [["annotation", "0001_initial"], …]}
{"table": "annotation.user", "columns": ["id", "password", …]}
[1, "…", …]                                        a row, for each row
{"rows": 17}                                       after the last row of each table
{"end": true, "rows": 4711, "sha256": "…"}         of all lines before
"""

import json
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import BinaryField, Field, JSONField, Model, Value
from django.utils.duration import duration_iso_string

from annotation.formats.errors import InputError

FORMAT = "segranks-backup"
VERSION = 1

AnyField: TypeAlias = "Field[Any, Any]"
Columns: TypeAlias = list[AnyField]


def line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def columns(model: type[Model]) -> Columns:
    """Return what is stored of the model, in a row each."""
    return [
        field for field in model._meta.concrete_fields if not getattr(field, "generated", False)
    ]


def plain(fields: Iterable[AnyField], row: Iterable[Any]) -> list[Any]:
    """Return the values of a row as JSON has them; nothing is lost."""
    return [_plain(field, value) for field, value in zip(fields, row, strict=True)]


def _plain(field: AnyField, value: Any) -> Any:
    if value is None or isinstance(field, JSONField) or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_iso_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(field, BinaryField):
        holder = type("Holder", (), {field.attname: value})()
        return field.value_to_string(holder)
    raise TypeError(f"{field} holds {type(value)}: a backup cannot")


def stored(fields: Iterable[AnyField], row: Iterable[Any]) -> list[Any]:
    """Return the values of a row as a database takes them. Raises ValidationError, ValueError."""
    return [_stored(field, value) for field, value in zip(fields, row, strict=True)]


def _stored(field: AnyField, value: Any) -> Any:
    if isinstance(field, JSONField):
        # A column that is never NULL holds the null of JSON.
        return Value(None, field) if value is None and not field.null else value
    return field.to_python(value)


def parse(text: bytes, where: str) -> Any:
    """Return what the line holds. Raises InputError."""
    try:
        return json.loads(text)
    except ValueError:
        raise InputError(f"{where}: this is not JSON: the file is damaged.") from None

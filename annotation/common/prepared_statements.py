"""Statements that PostgreSQL has planned: planning one of ours takes longer than executing it."""

import itertools
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.db import connection


class Statement(Protocol):
    """SQL, and its values: each a constant with None, or None with which argument it is."""

    @property
    def name(self) -> str: ...
    @property
    def sql(self) -> str: ...
    @property
    def values(self) -> list[tuple[Any, int | None]]: ...


# Under which name each connection of the database module has prepared a statement.
_prepared: WeakKeyDictionary[Any, dict[Statement, str]] = WeakKeyDictionary()
_numbers = itertools.count(1)


def can_be() -> bool:
    """Say whether statements outlive a transaction: not where those of many clients take turns."""
    return (
        connection.vendor == "postgresql"
        and not connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]
    )


def execute(cursor: Any, statement: Statement, arguments: list[Any]) -> None:
    """Execute it with a value for each place of an argument; where it is new, prepare it before."""
    known = _prepared.setdefault(connection.connection, {})
    name = known.get(statement)
    if name is None:
        # What was interrupted may be there, or not: so it is never tried again under that name.
        name = f"{statement.name}_{next(_numbers)}"
        _prepare(cursor, statement, name)
        known[statement] = name
    places = ", ".join(["%s"] * len(arguments))
    # Names are ours.
    cursor.execute(f'EXECUTE "{name}"' + (f" ({places})" if places else ""), arguments)


def _prepare(cursor: Any, statement: Statement, name: str) -> None:
    from psycopg2.extensions import AsIs

    numbers = iter(range(1, len(statement.values) + 1))
    # Constants are written out, so that it is planned for them.
    values = [fixed if at is None else AsIs(f"${next(numbers)}") for fixed, at in statement.values]
    raw = cursor.cursor
    with connection.wrap_database_errors:
        # Past what counts and logs queries: nobody asked for this one.
        raw.execute(f'PREPARE "{name}" AS ' + raw.mogrify(statement.sql, values).decode())

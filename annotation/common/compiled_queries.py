"""Queries that each request asks: Django writes their SQL once, and then only the values change.

To write a query takes Django longer than PostgreSQL needs to answer it, and a sentence needs some
fifty. Here a query stays as readable as any other, and is written once for each kind of database.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.sql import DeleteQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from annotation.common import prepared_statements

Row = TypeVar("Row")
# Stand for values while the query is written: what no query of ours has as a constant, and the
# smallest column could hold, since a query for more than that finds nothing, whatever the value.
FIRST_NUMBER: Final = 32_500
# As many as SQLite takes in one statement wherever it is built.
MOST_VALUES: Final = 900
FIRST_TIME: Final = datetime(1000, 1, 1, tzinfo=UTC)
KINDS: Final[dict[type, Callable[[int], Any]]] = {
    int: lambda at: FIRST_NUMBER + at,
    str: lambda at: f"ready-made-{at}",
    datetime: lambda at: FIRST_TIME + timedelta(seconds=at),
    float: lambda at: -1e300 - at * 1e290,
    dict: lambda at: {"ready-made": at},
}


@dataclass(frozen=True, eq=False)
class Written:
    """SQL; its values: each a constant, or None and which argument it is; and who wrote it."""

    sql: str
    values: list[tuple[Any, int | None]]
    compiler: SQLCompiler
    converters: dict[int, Any]
    # What it is called, for whoever looks into PostgreSQL; others may be called the same.
    name: str


class ReadyMade:
    """What reads and changes have in common; the arguments are of KINDS, or models, as annotated.

    Each stands in the query for a value as it is, and a model for its id alone: to ask it for
    anything else is an error. A query that looks different for some values (for None, or lists
    that are longer) cannot be ready-made.
    """

    def __init__(self, build: Callable[..., Any], many: int = 1) -> None:
        """`many` are meant by the last argument, where the function takes any number of it."""
        self.build = build
        arguments = list(inspect.signature(build).parameters.values())
        self._kinds = [each.annotation for each in arguments]
        if arguments and arguments[-1].kind == inspect.Parameter.VAR_POSITIONAL:
            self._kinds += [self._kinds[-1]] * (many - 1)
        self._written: dict[str, Written] = {}
        self.__doc__ = build.__doc__

    def _execute(self, cursor: Any, written: Written, arguments: tuple[Any, ...]) -> None:
        if written.compiler.query.select_for_update and not connection.in_atomic_block:
            # Django asks this only when it writes the query.
            raise TransactionManagementError("Rows are locked within a transaction only.")
        adapted = [_adapted(value) for value in arguments]
        if prepared_statements.can_be():
            prepared_statements.execute(
                cursor, written, [adapted[at] for _fixed, at in written.values if at is not None]
            )
        else:
            values = [fixed if at is None else adapted[at] for fixed, at in written.values]
            cursor.execute(written.sql, values)

    def _ready(self) -> Written:
        written = self._written.get(connection.vendor)
        if written is None:
            written = self._written[connection.vendor] = self._write()
        return written

    def _write(self) -> Written:
        samples = [_sample(kind, at) for at, kind in enumerate(self._kinds)]
        compiler = self._compiler(self.build(*samples))
        sql, values = compiler.as_sql()
        which = [_which(value, samples) for value in values]
        if set(range(len(samples))) - set(which):
            raise TypeError(f"Not all arguments of {self.build.__qualname__} are in its query.")
        expressions = [expression for expression, _sql, _alias in compiler.select or ()]
        return Written(
            sql,
            [(value if at is None else None, at) for value, at in zip(values, which, strict=True)],
            compiler,
            compiler.get_converters(expressions),
            self.build.__name__[:40],
        )

    def _compiler(self, built: Any) -> SQLCompiler:
        raise NotImplementedError


class ReadyMadeRead(ReadyMade, Generic[Row]):
    """A function that returns a query set; called, it returns a list of what that would yield."""

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], many: int = 1) -> None:
        super().__init__(build, many)

    def __call__(self, *arguments: Any) -> list[Row]:
        written = self._ready()
        with connection.cursor() as cursor:
            self._execute(cursor, written, arguments)
            rows = cursor.fetchall()
        answered: Any = _Answered(written, rows)
        iterable: Any = self._iterable(answered)
        return list(iterable)

    def first(self, *arguments: Any) -> Row | None:
        """Return the first of them, or None. The query should not ask for more."""
        return next(iter(self(*arguments)), None)

    def _compiler(self, built: QuerySet[Any, Any]) -> SQLCompiler:
        self._iterable = built._iterable_class
        compiler: SQLCompiler = built.query.get_compiler(connection=connection)
        return compiler


class ReadyMadeChange(ReadyMade):
    """A function that returns a query set and what `update` is to set; called, it updates.

    It returns the number of rows.
    """

    def __call__(self, *arguments: Any) -> int:
        with connection.cursor() as cursor:
            self._execute(cursor, self._ready(), arguments)
            changed: int = cursor.rowcount
        return changed

    def _compiler(self, built: Any) -> SQLCompiler:
        queryset, fields = built
        query = queryset.query.chain(UpdateQuery)
        query.add_update_values(fields)
        compiler: SQLCompiler = query.get_compiler(connection=connection)
        return compiler


class ReadyMadeDelete(ReadyMadeChange):
    """A function that returns a query set of rows that nothing depends on; called, deletes them."""

    def _compiler(self, built: Any) -> SQLCompiler:
        query = built.query.chain(DeleteQuery)
        compiler: SQLCompiler = query.get_compiler(connection=connection)
        return compiler


class ReadyMadeInsert:
    """Stores rows of these fields, all others left out, and returns their ids in order.

    Nothing is done but what the database does: no signals, no defaults of the model.
    """

    def __init__(self, model: type[Model], *fields: str) -> None:
        self._model, self._names = model, fields

    def __call__(self, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        at_once = MOST_VALUES // len(self._names)
        stored: list[int] = []
        for first in range(0, len(rows), at_once):
            stored += self._store(rows[first : first + at_once])
        return stored

    def store(self, row: Model) -> None:
        """Store one that is new; it has its id then."""
        values = tuple(getattr(row, field.attname) for field in self._fields())
        (row.pk,) = self._store([values])
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS

    def _fields(self) -> list[Any]:
        return [self._model._meta.get_field(name) for name in self._names]

    def _store(self, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        meta: Any = self._model._meta
        fields = self._fields()
        name = connection.ops.quote_name
        columns = ", ".join(name(field.column) for field in fields)
        row = f"({', '.join(['%s'] * len(fields))})"
        values = [
            field.get_db_prep_save(value, connection)
            for row_of_values in rows
            for field, value in zip(fields, row_of_values, strict=True)
        ]
        with connection.cursor() as cursor:
            # Names of our own tables and columns; the values are passed beside.
            cursor.execute(
                f"INSERT INTO {name(meta.db_table)} ({columns})"  # noqa: S608
                f" VALUES {', '.join([row] * len(rows))} RETURNING {name(meta.pk.column)}",
                values,
            )
            return [pk for (pk,) in cursor.fetchall()]


class _Answered:
    """A query set, its query and its compiler in one, as the iterables of Django ask them."""

    db = DEFAULT_DB_ALIAS
    _known_related_objects: Mapping[Any, Any] = MappingProxyType({})
    _fields = None

    def __init__(self, written: Written, rows: list[tuple[Any, ...]]) -> None:
        compiler = written.compiler
        self.query = self
        self.select = compiler.select
        self.klass_info = compiler.klass_info
        self.annotation_col_map = compiler.annotation_col_map
        self._rows: Iterator[Any] = iter(rows)
        if written.converters:
            self._rows = compiler.apply_converters(rows, written.converters)

    def get_compiler(self, using: str) -> "_Answered":
        return self

    def execute_sql(self, **_how: object) -> Any:
        return self._rows

    def results_iter(self, results: Any = None, **_how: object) -> Any:
        return self._rows


def _sample(kind: type, at: int) -> Any:
    if issubclass(kind, Model):
        # All other fields are to be read later, which fails, since there is no such row.
        return kind.from_db(DEFAULT_DB_ALIAS, [kind._meta.pk.attname], [FIRST_NUMBER + at])
    return KINDS[kind](at)


def _adapted(value: Any) -> Any:
    """Return what the database module is given for the value."""
    if isinstance(value, Model):
        return value.pk
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, dict):
        return connection.ops.adapt_json_value(value, None)
    return value


def _which(value: Any, samples: list[Any]) -> int | None:
    """Return the number of the argument that the query has here, None where it has a constant."""
    plain = [_plain(_adapted(sample)) for sample in samples]
    return plain.index(_plain(value)) if _plain(value) in plain else None


def _plain(value: Any) -> Any:
    # What holds JSON for PostgreSQL is not equal to its like.
    return getattr(value, "adapted", value)

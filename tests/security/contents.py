"""All rows of the database, to see whether a request changed something."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from people.models import SignedIn

APPS = ("annotation", "api", "crowd", "evaluation", "people", "webhooks")

Contents = dict[str, list[tuple[Any, ...]]]


@contextmanager
def unchanged(before: Contents) -> Iterator[None]:
    """Assert that the rows are still those; they are read only if SQLite counted a written row."""
    written = _written_rows()
    yield
    if written is None or _written_rows() != written:
        assert contents() == before


def contents() -> Contents:
    """Return the rows of SegRanks' own tables, except what every sign-in writes."""
    with connection.cursor() as cursor:
        return {
            model.__name__: _rows(cursor, model)
            for app in APPS
            for model in apps.get_app_config(app).get_models()
            if model is not SignedIn
        }


def _rows(cursor: Any, model: type[Model]) -> list[tuple[Any, ...]]:
    # Without model instances it takes a tenth of the time, and it is done for most requests.
    columns = [field.column for field in model._meta.local_concrete_fields]
    named = ", ".join(f'"{column}"' for column in columns if column != "last_login")
    cursor.execute(f'SELECT {named} FROM "{model._meta.db_table}" ORDER BY 1')
    return list(cursor.fetchall())


def _written_rows() -> int | None:
    return connection.connection.total_changes if connection.vendor == "sqlite" else None

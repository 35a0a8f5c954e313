"""Reads of a consistent state of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all queries inside see the same state of the database, without blocking writers.

    For reading only. Inside a transaction, the isolation of that transaction applies.
    """
    connection.ensure_connection()
    is_sqlite = connection.vendor == "sqlite"
    if connection.in_atomic_block or (is_sqlite and connection.connection.in_transaction):
        yield
    elif is_sqlite:
        # An atomic block would lock other writers out.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("COMMIT")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

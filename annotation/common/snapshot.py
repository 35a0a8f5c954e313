"""Reading a project as it is at one moment, while people go on judging."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let every query inside see the same state of the database; nobody has to wait for it.

    Only for reading. Within a transaction, that transaction decides what is seen.
    """
    connection.ensure_connection()
    if connection.in_atomic_block or _is_reading():
        yield
    elif connection.vendor == "sqlite":
        # An atomic block would take the lock of a writer.
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


def _is_reading() -> bool:
    return connection.vendor == "sqlite" and bool(connection.connection.in_transaction)

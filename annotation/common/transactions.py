"""Transactions for many concurrent writers, and for reads of a consistent state."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.db import connection, transaction

# On SQLite, waiting writers poll for the lock less and less often, so that one of fifty threads may
# wait until it times out. This lock gives each thread of the process its turn.
_turn = threading.Lock()


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction; on SQLite the threads of a process take turns."""
    with in_turn(), transaction.atomic():
        yield


def in_turn() -> AbstractContextManager[Any]:
    """Return a context manager for a single statement, which needs the turn but no transaction."""
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    return _turn if alone else nullcontext()


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

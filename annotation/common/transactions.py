"""Transactions for many concurrent writers."""

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

"""Transactions in which many people write at once."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.db import connection, transaction

# SQLite lets whoever asks first after a commit be the next writer, and others ask again ever more
# seldom: of fifty threads one may wait until it is refused. Here each gets its turn.
_turn = threading.Lock()


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction; on SQLite the threads of a process wait for one another outside it."""
    with in_turn(), transaction.atomic():
        yield


def in_turn() -> AbstractContextManager[Any]:
    """Return what only holds the turn: a single statement needs no transaction of its own."""
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    return _turn if alone else nullcontext()

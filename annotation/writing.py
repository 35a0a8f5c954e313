"""Transactions in which many people write at once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

# SQLite lets whoever asks first after a commit be the next writer, and others ask again ever more
# seldom: of fifty threads one may wait until it is refused. Here each gets its turn.
_turn = threading.Lock()


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction; on SQLite the threads of a process wait for one another outside it."""
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _turn if alone else nullcontext(), transaction.atomic():
        yield

"""Transactions for many concurrent writers, and for reads of a consistent state."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

from annotation.common.database_errors import sqlstate

# On SQLite, waiting writers poll for the lock less and less often, so that one of fifty threads may
# wait until it times out. This lock gives each thread of the process its turn.
_turn = threading.Lock()

# PostgreSQL ended the transaction so that another one can go on: deadlock_detected,
# serialization_failure.
CONFLICTS: Final = ("40P01", "40001")

# Seconds. Processes that wait for SQLite's lock ask for it ten times a second.
PAUSE: Final = 0.1

# Opens a transaction for a part of long work; raises where the work was cancelled meanwhile.
Writing = Callable[[], AbstractContextManager[None]]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction; on SQLite the threads of a process take turns."""
    with in_turn(), transaction.atomic():
        yield


def in_turn() -> AbstractContextManager[Any]:
    """Return a context manager for a single statement, which needs the turn but no transaction."""
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    return _turn if alone else nullcontext()


def let_others_write() -> None:
    """Wait a moment between two of many transactions, so that others get SQLite's lock.

    Inside a transaction, where others have to wait in any case, it returns at once.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE)


def retried(service: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a function that opens a transaction: after a deadlock it is called once more.

    The function changes nothing but the database. Inside a transaction of its caller it is not
    repeated, because that transaction has ended too.

    Services that lock rows of several kinds lock them in this order: the job and its chunks, the
    project, memberships, batches, assignments by id, sentences. Rows that are not deleted are
    locked with `no_key`, so that rows which refer to them can be stored meanwhile.
    """

    @wraps(service)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            return service(*args, **kwargs)
        except OperationalError as problem:
            if connection.in_atomic_block or sqlstate(problem) not in CONFLICTS:
                raise
        return service(*args, **kwargs)

    return call


def locked_by_id(rows: QuerySet[Any], *, no_key: bool = True) -> list[int]:
    """Lock the rows, in the order of their ids, until the transaction ends; return the ids."""
    locked = rows.order_by("pk").select_for_update(no_key=no_key)
    return list(locked.values_list("pk", flat=True))


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

"""Rows that one worker at a time works on: claimed, renewed and released by conditional UPDATEs.

The row count of an UPDATE decides which worker has a row. A worker renews its lease while it works;
a row whose lease has expired has lost its worker, and another one may claim it. The tables are
those of `annotation.models.leased_rows`.
"""

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from logging import getLogger
from typing import Any, Final, Generic, Self, TypeVar

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import F, Model, Q, QuerySet

from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import writing
from annotation.process import clock

log = getLogger(__name__)

LEASE: Final = timedelta(seconds=30)
# Seconds between two renewals, which also notice a lost lease.
RENEW_EVERY: Final = 1.0

# Those of LeasedRow.State.
WAITING: Final = "waiting"
RUNNING: Final = "running"
DONE: Final = "done"
RELEASED: Final[dict[str, Any]] = {"worker": "", "lease_until": None}


class LeaseLost(Exception):
    """Another worker has the row now, or it is no longer wanted."""


class Interrupted(Exception):
    """This process is stopping: another worker is to do the work."""


Row = TypeVar("Row", bound=Model)


def claimable(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows that wait, and those whose lease has expired."""
    expired = Q(state=RUNNING, lease_until__lt=clock.now())
    return rows.filter(Q(state=WAITING) | expired)


def live(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows that a worker works on."""
    return rows.filter(state=RUNNING, lease_until__gte=clock.now())


@dataclass(frozen=True)
class Claim(Generic[Row]):
    """The right to work on a row until the lease expires; `worker` is unique to it.

    `rows` are those that may be worked on: the claim is lost where the row is none of them any
    more.
    """

    row: Row
    worker: str
    rows: QuerySet[Row]

    @classmethod
    def take(cls, row: Row, rows: QuerySet[Row], **fields: Any) -> Self | None:
        """Claim the row and set its fields; None if it is not claimable among `rows`."""
        now, worker = clock.now(), f"{_process()}{secrets.token_hex(4)}"
        taken = (
            claimable(rows)
            .filter(pk=row.pk)
            .update(
                state=RUNNING,
                worker=worker,
                started=now,
                lease_until=now + LEASE,
                attempts=F("attempts") + 1,
                **fields,
            )
        )
        return cls(row, worker, rows) if taken else None

    def held(self) -> QuerySet[Row]:
        """Return the row while this claim is valid, else no row."""
        return self.rows.filter(pk=self.row.pk, state=RUNNING, worker=self.worker)

    def renew(self, **fields: Any) -> None:
        """Renew the lease, and set fields of the row. Raise LeaseLost."""
        if not self.held().update(lease_until=clock.now() + LEASE, **fields):
            raise LeaseLost

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction during which no other worker can claim the row. Raise LeaseLost."""
        with writing():
            self.renew()
            yield

    def finish(self, *, state: str = DONE, **fields: Any) -> None:
        """End the work with these fields of the row. Raise LeaseLost."""
        if not self.held().update(state=state, **fields, **RELEASED):
            raise LeaseLost

    def release(self, *, count_attempt: bool = False, **fields: Any) -> None:
        """Let another worker do the work; the attempt does not count unless `count_attempt`.

        Without a database the lease expires by itself.
        """
        attempts = F("attempts") if count_attempt else F("attempts") - 1
        with suppress(DatabaseError):
            self.held().update(state=WAITING, attempts=attempts, **fields, **RELEASED)


def release_of_this_process(rows: QuerySet[Any], **fields: Any) -> None:
    """Let other workers do what this process works on; its attempts do not count."""
    own = rows.filter(state=RUNNING, worker__startswith=_process())
    own.update(state=WAITING, attempts=F("attempts") - 1, **fields, **RELEASED)


def _process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:"


@contextmanager
def renewing(
    claim: Claim[Any], renew: Callable[[], None], on_lost: Callable[[], None] = lambda: None
) -> Iterator[threading.Event]:
    """Call `renew` from a thread while the work is done; yield what is set once the lease is lost.

    The thread is needed because a step of the work may take minutes. `renew` raises LeaseLost;
    `on_lost` is called then.
    """
    lost, finished = threading.Event(), threading.Event()

    def keep_renewing() -> None:
        try:
            while not finished.wait(RENEW_EVERY):
                try:
                    renew()
                except LeaseLost:
                    lost.set()
                    on_lost()
                except DatabaseError as problem:
                    # The lease outlives a database that is away for some seconds.
                    log.warning("The lease of %s was not renewed: %s", claim.row, problem)
                    connection.close()
        finally:
            connection.close()

    if connection.in_atomic_block:
        # As in tests: the connection of another thread would not see the row.
        yield lost
        return
    thread = threading.Thread(target=keep_renewing, name="lease", daemon=True)
    thread.start()
    try:
        yield lost
    finally:
        finished.set()
        thread.join()


def send_again(task: str, rows: QuerySet[Any], *, most: int | None = None) -> None:
    """Notify workers of the claimable rows, in their order, and of so many at most."""
    for pk, request in claimable(rows).values_list("pk", "request_id")[:most]:
        send_task(task, pk, request=request, expires=EXPIRES)

"""The database's clock, by which all processes on all machines tell the time.

Times of one machine are compared with those of another: leases, what is due, how long a judgement
took. All follow PostgreSQL's clock. A process measures how far its own clock is from it whenever
it connects, which each thread does once a minute (CONN_MAX_AGE), so that no statement asks for the
time. SQLite is used by one machine only, whose clock is the database's.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils import timezone

# What to add to the time of this machine; None before the first connection.
_ahead: timedelta | None = None


def now() -> datetime:
    """Return the time by the database's clock, off by at most a round trip to the database.

    It runs no query; the first call in a process connects. Where the clock of this machine is set
    while the process runs, times are wrong until its next connection.
    """
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "sqlite":
        return timezone.now()
    if _ahead is None:
        database.ensure_connection()
    return timezone.now() + (_ahead or timedelta())


def _measure(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Measure how far the clock of the database is ahead of the clock of this machine."""
    global _ahead
    if connection.vendor == "sqlite" or connection.alias != DEFAULT_DB_ALIAS:
        return
    asked = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [found] = cursor.fetchone()
    answered = timezone.now()
    # A clock that the answer does not refute is left alone, so that it runs evenly.
    agrees = asked <= found <= answered
    _ahead = timedelta() if agrees else found - (asked + (answered - asked) / 2)


connection_created.connect(_measure)

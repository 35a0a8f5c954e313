"""What an error of the database or the disk means, by the codes of the systems."""

import errno
import sqlite3
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from django.db import Error, IntegrityError, InterfaceError, OperationalError
from django.utils.translation import gettext as _

from annotation.common.exceptions import Busy

# Classes of SQLSTATE, or whole codes: no connection, rolled back, no resources, lock timed out,
# shut down. A full disk is one of the resources.
_BUSY: Final = ("08", "40", "53", "55P03", "57P")
_DISK_FULL: Final = "53100"
_FOREIGN_KEY: Final = "23503"
_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Refusal:
    """The answer to a request that failed by no fault of the code; `wait` is in seconds."""

    status: HTTPStatus
    code: str
    message: str
    wait: int | None = None


def refusal_of(problem: BaseException) -> Refusal | None:
    """Return how a request that raised this is answered; None if the fault is ours."""
    if isinstance(problem, Busy):
        message = str(problem)
        return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", message, wait=5)
    if is_disk_full(problem):
        message = _(
            "The server’s disk is full, so nothing was saved. Please tell the site administrator "
            "and try again later."
        )
        return Refusal(HTTPStatus.INSUFFICIENT_STORAGE, "disk_full", message, wait=300)
    if is_busy(problem):
        message = _("The server is busy, so nothing was saved. Please try again in a few seconds.")
        return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", message, wait=5)
    if refers_to_deleted(problem):
        message = _("What you were changing was deleted a moment ago, so nothing was saved.")
        return Refusal(HTTPStatus.CONFLICT, "deleted", message)
    return None


def sqlstate(problem: BaseException) -> str:
    """Return PostgreSQL's code of an error; "" for all others."""
    return getattr(problem.__cause__, "pgcode", None) or ""


def is_disk_full(problem: BaseException) -> bool:
    """Return whether a file or the database could not be written for want of space."""
    if isinstance(problem, Error):
        return sqlstate(problem) == _DISK_FULL or _sqlite_code(problem) == sqlite3.SQLITE_FULL
    return isinstance(problem, OSError) and problem.errno in _NO_SPACE


def is_busy(problem: BaseException) -> bool:
    """Return whether the database may answer the same request later: it is locked or away."""
    if not isinstance(problem, OperationalError | InterfaceError):
        return False
    if isinstance(problem.__cause__, sqlite3.Error):
        return _sqlite_code(problem) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    # Without a code, there is no connection.
    return not sqlstate(problem) or sqlstate(problem).startswith(_BUSY)


def refers_to_deleted(problem: BaseException) -> bool:
    """Return whether a row was refused because the row that it refers to does not exist."""
    if not isinstance(problem, IntegrityError):
        return False
    return sqlstate(problem) == _FOREIGN_KEY or "FOREIGN KEY constraint" in str(problem)


def _sqlite_code(problem: BaseException) -> int:
    """Return SQLite's primary result code, the lowest byte of an extended one; 0 for none."""
    return int(getattr(problem.__cause__, "sqlite_errorcode", 0)) & 0xFF

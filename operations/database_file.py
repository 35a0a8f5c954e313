"""The SQLite file, which only its owner may read."""

import stat
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

# SQLite creates the last two with the permissions of the first.
SUFFIXES = ("", "-wal", "-shm")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def connect_signals() -> None:
    connection_created.connect(_make_private)


def _make_private(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Make the files of an SQLite database readable by their owner only.

    The first connection creates them, empty. Raises ImproperlyConfigured if another account owns
    them.
    """
    if connection.vendor != "sqlite":
        return
    for suffix in SUFFIXES:
        path = Path(f"{connection.settings_dict['NAME']}{suffix}")
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)
        except FileNotFoundError:
            # A database in memory, or without these files.
            continue
        except OSError as problem:
            raise ImproperlyConfigured(
                f"The database {path} cannot be made readable by its owner only "
                f"({problem.strerror}): run SegRanks as its owner."
            ) from problem

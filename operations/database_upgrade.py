"""Migrations at the start of `manage.py up`, with a copy of the SQLite database before them."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from annotation.formats.errors import InputError
from annotation.process import clock


def refuse_unknown(loader: MigrationLoader) -> None:
    """Raise InputError where another SegRanks, a later one or one before 1.0, made the tables."""
    replaced = {name for one in loader.disk_migrations.values() for name in one.replaces}
    unknown = [
        migration
        for migration in set(loader.applied_migrations) - set(loader.disk_migrations) - replaced
        if migration[0] in loader.migrated_apps
    ]
    if unknown:
        raise InputError(
            f"The database is of a later SegRanks, or of one before 1.0 ({'.'.join(min(unknown))} "
            f"is not known to {settings.VERSION}): start that version, or restore a backup into "
            "another data folder (SEGRANKS_DATA) or database (DATABASE_URL)."
        )


def is_needed() -> bool:
    """Return whether migrations are missing in the database.

    Raises InputError where no database answers, or where another SegRanks has migrated it.
    """
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as problem:
        raise InputError(
            f"The database does not answer ({str(problem).strip()}): start it, or correct "
            "DATABASE_URL."
        ) from problem
    refuse_unknown(executor.loader)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def copy_sqlite() -> Path | None:
    """Copy an SQLite database that has tables to the folder `backups` of the data folder.

    Returns the path of the copy, which only its owner can read, or None where there is nothing to
    copy. Raises InputError, and leaves no file, if it cannot be written.
    """
    if connection.vendor != "sqlite" or not connection.introspection.table_names():
        return None
    folder = Path(settings.DATA_DIR) / "backups"
    path = folder / f"before-{settings.VERSION}-{clock.now():%Y%m%d-%H%M%S}.sqlite3"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
    except (OSError, sqlite3.Error) as problem:
        with suppress(OSError):
            path.unlink()
        raise InputError(
            f"The database was not upgraded, because it could not be copied to {path} first "
            f"({problem}): make room there, or correct the owner of the folder."
        ) from problem
    return path

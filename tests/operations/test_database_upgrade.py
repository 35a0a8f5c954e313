"""What `manage.py up` does to a database before its migrations."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from annotation.formats.errors import InputError
from annotation.models import User
from operations import database_upgrade


@pytest.mark.databases
@pytest.mark.django_db
def test_a_database_of_a_later_version_is_refused() -> None:
    assert not database_upgrade.is_needed()
    recorder = MigrationRecorder(connection)
    recorder.record_applied("annotation", "9999_of_the_future")
    with pytest.raises(InputError, match=r"\(annotation.9999_of_the_future"):
        database_upgrade.is_needed()
    with pytest.raises(CommandError, match=r"\(annotation.9999_of_the_future"):
        call_command("migrate", verbosity=0)


@pytest.mark.django_db
def test_a_migration_that_is_missing_is_needed() -> None:
    recorder = MigrationRecorder(connection)
    latest = max(name for app, name in recorder.applied_migrations() if app == "webhooks")
    recorder.record_unapplied("webhooks", latest)
    assert database_upgrade.is_needed()


@pytest.mark.django_db(transaction=True)
def test_the_copy_of_a_database_is_complete_and_private(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    if connection.vendor != "sqlite":
        assert database_upgrade.copy_sqlite() is None
        return
    User.objects.create_user("jana")
    path = database_upgrade.copy_sqlite()
    assert path
    assert path.parent == tmp_path / "backups"
    assert path.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("SELECT username FROM annotation_user").fetchall() == [("jana",)]


@pytest.mark.django_db
def test_a_copy_that_cannot_be_written_leaves_nothing(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "backups").touch()
    if connection.vendor == "sqlite":
        with pytest.raises(InputError, match="was not upgraded"):
            database_upgrade.copy_sqlite()

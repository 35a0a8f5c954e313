"""Files of uploads and media on hosts that share a database only, and in a folder."""

import os
from pathlib import Path
from typing import Any

import pytest

from annotation.common import stored_files
from annotation.models import StoredFile
from segranks.service_options import file_storage

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
NAME = "uploads/token/text"


@pytest.fixture(params=["postgresql", "sqlite3"])
def kind(tmp_path: Path, settings: Any, request: pytest.FixtureRequest) -> str:
    """Files in the database, as with PostgreSQL, and in a folder, as with SQLite."""
    settings.MEDIA_ROOT = tmp_path / "files"
    engine = {"ENGINE": f"django.db.backends.{request.param}"}
    settings.STORAGES = settings.STORAGES | {"default": file_storage(engine, None)}
    (tmp_path / "given").write_bytes(b"a few words\n")
    stored_files.keep(tmp_path / "given", NAME)
    return str(request.param)


def test_a_file_is_fetched_once(kind: str, tmp_path: Path, settings: Any) -> None:
    if kind == "postgresql":
        # Another host.
        settings.MEDIA_ROOT = tmp_path / "other"
        assert not stored_files.path_of(NAME).exists()
    path = stored_files.fetch(NAME)
    assert path.read_bytes() == b"a few words\n"
    assert stored_files.name_of(path) == NAME
    assert not list(stored_files.incoming().iterdir())
    changed = path.stat().st_mtime_ns
    assert stored_files.fetch(NAME).stat().st_mtime_ns == changed


def test_a_fetched_file_is_for_its_owner_only(kind: str, tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        path = stored_files.fetch(NAME)
    finally:
        os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "files").stat().st_mode & 0o777 == 0o700


def test_what_is_deleted_is_nowhere(kind: str) -> None:
    stored_files.fetch(NAME)
    stored_files.delete_folder("uploads/token")
    stored_files.delete_folder("uploads/token")
    stored_files.delete(NAME)
    assert stored_files.folders_in("uploads") == []
    assert not stored_files.fetch(NAME).exists()
    assert not StoredFile.objects.exists()


def test_postgresql_keeps_files_unless_there_is_a_common_folder() -> None:
    sqlite, postgresql = ({"ENGINE": f"django.db.backends.{n}"} for n in ("sqlite3", "postgresql"))
    assert "DatabaseStorage" in file_storage(postgresql, None)["BACKEND"]
    for database, folder in ((sqlite, None), (sqlite, Path("x")), (postgresql, Path("x"))):
        assert "FileSystemStorage" in file_storage(database, folder)["BACKEND"]

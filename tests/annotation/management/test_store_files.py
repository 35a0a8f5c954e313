"""`store_files` puts media from a folder into the database, and back."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import StoredFile
from annotation.projects.media import file_of
from segranks.service_options import file_storage
from tests.factories import make_project
from tests.media_files import png, with_media

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def files_in(settings: Any, place: Path | None, root: Path) -> None:
    """Let the settings be those of PostgreSQL with files in this folder, or in the database."""
    settings.MEDIA_ROOT = place or root / "copies"
    storage = file_storage({"ENGINE": "django.db.backends.postgresql"}, place)
    settings.STORAGES = settings.STORAGES | {"default": storage}


def test_media_go_into_the_database_and_back(
    settings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    files_in(settings, before, tmp_path)
    (row,) = with_media(make_project(), _1_png=png())
    files_in(settings, None, tmp_path)
    for said in ("1 file", "0 files"):
        call_command("store_files", before)
        assert capsys.readouterr().out.startswith(said)
    with file_of(row) as file:
        assert file.read() == png()
    files_in(settings, after, tmp_path)
    call_command("store_files")
    assert not StoredFile.objects.exists()
    with file_of(row) as file:
        assert file.read() == png()


def test_it_refuses_a_folder_without_media(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no folder media"):
        call_command("store_files", tmp_path)

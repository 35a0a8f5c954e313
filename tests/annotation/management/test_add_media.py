"""`add_media` reads files and folders of this machine."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Media, Project
from tests.factories import make_project
from tests.media_files import png, wav

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(settings: Any, tmp_path: Path) -> Project:
    settings.MEDIA_ROOT = tmp_path / "stored"
    return make_project()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "1.png").write_bytes(png())
    (folder / "2.wav").write_bytes(wav())
    (folder / ".hidden").write_bytes(b"x")
    (folder / "inside").mkdir()
    return folder


def lines() -> list[tuple[int, str]]:
    return list(Media.objects.order_by("line").values_list("line", "name"))


def test_a_folder_has_a_file_for_each_line(project: Project, folder: Path) -> None:
    call_command("add_media", project.name, folder)
    assert lines() == [(1, "1.png"), (2, "2.wav")]


def test_a_table_has_the_lines_of_files(project: Project, folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "lines.tsv"
    table.write_text("3\t1.png\n")
    call_command("add_media", str(project.pk), folder / "1.png", "--table", table)
    assert lines() == [(3, "1.png")]


@pytest.mark.parametrize("name", ["4.png", "none.png"])
def test_a_refusal_is_one_sentence_with_the_file(project: Project, folder: Path, name: str) -> None:
    (folder / "4.png").write_bytes(png())
    with pytest.raises(CommandError, match=name):
        call_command("add_media", project.name, folder / name)
    assert not Media.objects.exists()

"""Uploads whose files come in several requests at once."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from annotation.formats.file_kinds import detect_kind
from annotation.models import Upload, User
from annotation.uploads import folders, storage
from tests.annotation.uploads.upload_files import NORTH, SOURCE, SOUTH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


@pytest.fixture
def upload(settings: Any, tmp_path: Path) -> Upload:
    settings.MEDIA_ROOT = tmp_path
    return Upload.objects.create(owner=User.objects.create(username="jana"))


def take_at_once(upload: Upload, names: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Send a file of ten bytes by each name, all of them before any is added; return refusals."""
    barrier = Barrier(len(names))

    def detect_kind_of_all(path: Path) -> str:
        barrier.wait(60)
        return detect_kind(path)

    def take(name: str) -> list[str]:
        try:
            sent = [(name, SimpleUploadedFile(name, b"0123 5678\n"))]
            return [problem.code for problem in storage.take(upload, sent)]
        finally:
            connection.close()

    monkeypatch.setattr("annotation.uploads.storage.detect_kind", detect_kind_of_all)
    with ThreadPoolExecutor(len(names)) as pool:
        return [code for codes in pool.map(take, names) for code in codes]


def stored_names(upload: Upload) -> list[str]:
    names = list(upload.files.order_by("name").values_list("name", flat=True))
    assert len(list(folders.folder_of(upload).iterdir())) == len(names)
    return names


def test_a_file_that_is_sent_twice_at_once_is_there_once(
    upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert take_at_once(upload, ["a.txt", "a.txt"], monkeypatch) == []
    assert stored_names(upload) == ["a.txt"]


def test_two_systems_that_are_spelt_alike_are_one_problem(upload: Upload) -> None:
    for name in ("source.txt", "c\u030c.txt", "č.txt"):
        assert not storage.take(upload, [(name, SimpleUploadedFile(name, b"house\n"))])

    assert set(upload.files.filter(role="system").values_list("system", flat=True)) == {"č"}
    (problem,) = storage.findings(upload).problems
    assert (problem.code, problem.file, problem.values["first"]) == (
        *("system-twice", "č.txt", "c\u030c.txt"),
    )


def test_the_only_text_in_another_language_is_the_source(upload: Upload) -> None:
    texts = (("north.txt", NORTH), ("first.txt", SOURCE), ("south.txt", SOUTH))
    sent = [(name, SimpleUploadedFile(name, text.encode())) for name, text in texts]
    assert not storage.take(upload, sent)
    assert list(upload.files.order_by("name").values_list("name", "role", "system")) == [
        ("first.txt", "source", ""),
        ("north.txt", "system", "north"),
        ("south.txt", "system", "south"),
    ]


def test_files_that_are_sent_at_once_share_the_quota(
    upload: Upload, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_UPLOAD_BYTES = 25
    assert take_at_once(upload, ["a.txt", "b.txt", "c.txt"], monkeypatch) == ["too-large"]
    assert len(stored_names(upload)) == 2


def test_an_empty_folder_without_a_row_is_removed_after_a_day(upload: Upload) -> None:
    folder = folders.folder_of(upload)
    # As another process sees it that read the rows before.
    upload.delete()
    folders.remove_old()
    assert folder.exists()
    ago = time.time() - folders.UPLOADS_KEPT.total_seconds() - 60
    os.utime(folder, (ago, ago))
    folders.remove_old()
    assert not folder.exists()

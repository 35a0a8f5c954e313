"""The storage of files in the database."""

import io
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.files import File
from django.core.files.base import ContentFile
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.models import FilePiece, StoredFile, stored_files
from annotation.models.stored_files import DatabaseStorage

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
CONTENT = bytes(range(256)) * 4
NAME = "media/7/film"


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> DatabaseStorage:
    """A storage with a file of eleven pieces."""
    monkeypatch.setattr(stored_files, "PIECE", 100)
    made = DatabaseStorage()
    assert made.save(NAME, ContentFile(CONTENT)) == NAME
    return made


def content(storage: DatabaseStorage, name: str = NAME) -> bytes:
    with storage.open(name) as file:
        return bytes(file.read())


def test_a_file_is_read_as_it_was_stored(storage: DatabaseStorage) -> None:
    assert content(storage) == CONTENT
    assert (storage.size(NAME), FilePiece.objects.count()) == (1024, 11)
    storage.save("empty", ContentFile(b""))
    assert content(storage, "empty") == b""


def test_a_range_reads_its_pieces_only(
    storage: DatabaseStorage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with storage.open(NAME) as file:
        assert (file.seek(0, io.SEEK_END), file.seek(950)) == (1024, 950)
        with django_assert_num_queries(2):
            assert file.read() == CONTENT[950:]
        assert (file.seek(-3, io.SEEK_END), file.read()) == (1021, CONTENT[-3:])
        file.seek(250)
        with django_assert_num_queries(1):
            assert file.read(50) == CONTENT[250:300]
        assert (file.seek(5000), file.read()) == (5000, b"")


def test_a_name_stands_for_one_content(storage: DatabaseStorage) -> None:
    StoredFile.objects.update(modified=timezone.now() - timedelta(days=2))
    assert storage.save(NAME, ContentFile(b"another")) == NAME
    assert content(storage) == CONTENT
    assert storage.get_modified_time(NAME) > timezone.now() - timedelta(hours=1)


def test_of_a_file_that_breaks_off_nothing_is_stored(storage: DatabaseStorage) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 500:
                raise OSError("The disk is broken.")
            return super().read(size)

    broken: Any = Broken(CONTENT)
    with pytest.raises(OSError, match="broken"):
        storage.save("half", File(broken, "half"))
    assert not storage.exists("half")
    assert FilePiece.objects.count() == 11


def test_a_copy_stays_when_the_original_is_deleted(storage: DatabaseStorage) -> None:
    for _again in range(2):
        assert storage.copy(NAME, "media/8/film")
    assert not storage.copy("media/9/film", "media/10/film")
    storage.delete(NAME)
    storage.delete(NAME)
    assert content(storage, "media/8/film") == CONTENT
    with pytest.raises(FileNotFoundError):
        storage.open(NAME)


@pytest.mark.django_db(transaction=True)
def test_a_file_is_not_deleted_while_it_is_copied(storage: DatabaseStorage) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("has one writer at a time")

    def delete() -> None:
        try:
            with transaction.atomic():
                StoredFile.objects.select_for_update(nowait=True).get(name=NAME).delete()
        finally:
            connection.close()

    def delete_before(execute: Any, sql: str, *rest: Any) -> Any:
        if "INSERT INTO annotation_filepiece" in sql:
            with ThreadPoolExecutor(1) as pool, pytest.raises(OperationalError):
                pool.submit(delete).result()
        return execute(sql, *rest)

    with connection.execute_wrapper(delete_before):
        assert storage.copy(NAME, "media/8/film")
    assert content(storage, "media/8/film") == CONTENT


def test_folders_are_parts_of_names(storage: DatabaseStorage) -> None:
    for name in ("media/7/second", "media/70/film", "uploads/a_b/text", "uploads/axb/text"):
        storage.save(name, ContentFile(b"text"))
    assert storage.listdir("") == (["media", "uploads"], [])
    assert storage.listdir("media") == (["7", "70"], [])
    assert storage.listdir("media/7") == ([], ["film", "second"])
    assert storage.listdir("uploads/a_b") == ([], ["text"])
    assert storage.listdir("nothing") == ([], [])

"""Files in the database, where all hosts of a site find them without a common folder."""

import io
from datetime import datetime
from typing import Any, Final

from django.core.files import File
from django.core.files.storage import Storage
from django.db import connection, models, transaction
from django.db.models import Case, Value, When
from django.db.models.functions import Left, StrIndex, Substr

from annotation.process import clock

# The bytes of a row (docs/decisions/0018-files-are-in-the-database.md has the measurements).
PIECE: Final = 512 * 1024


class StoredFile(models.Model):
    """A file by its name in the storage, such as "media/7/…"; its content never changes."""

    name = models.CharField(max_length=200, unique=True)
    size = models.PositiveBigIntegerField()
    modified = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class FilePiece(models.Model):
    """A piece of a stored file, which begins at its byte `start`."""

    # The constraint has an index that begins with it.
    file = models.ForeignKey(
        StoredFile, on_delete=models.CASCADE, related_name="pieces", db_index=False
    )
    start = models.PositiveBigIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "start"], name="pieces_of_a_file_have_places")
        ]

    def __str__(self) -> str:
        return f"{self.file_id} from {self.start}"


class DatabaseStorage(Storage):
    """Django's storage of files in two tables.

    A name stands for one content: to save it again says only that it is in use. A file is written
    and read a piece at a time, so that memory does not grow with it, and a range needs its pieces
    only.
    """

    def _open(self, name: str, mode: str = "rb") -> "File[bytes]":
        if mode != "rb":
            raise ValueError(f"A stored file cannot be opened as {mode!r}: its content is final.")
        row = self._row(name)
        content = io.BufferedReader(_StoredContent(row.pk, row.size), PIECE)
        return File(content, name)

    def _save(self, name: str, content: "File[bytes]") -> str:
        with transaction.atomic():
            if StoredFile.objects.filter(name=name).update(modified=clock.now()):
                return name
            row = StoredFile.objects.create(name=name, size=0, modified=clock.now())
            for piece in content.chunks(PIECE):
                FilePiece.objects.create(file=row, start=row.size, content=piece)
                row.size += len(piece)
            row.save(update_fields=["size"])
        return name

    def copy(self, name: str, new: str) -> bool:
        """Store the content of a file under another name too; return False if there is no file."""
        with transaction.atomic():
            # Locked, so that another process that deletes it waits until its pieces are copied.
            locked = StoredFile.objects.select_for_update(no_key=True)
            row = locked.filter(name=name).first()
            if row is None:
                return False
            if StoredFile.objects.filter(name=new).update(modified=clock.now()):
                return True
            made = StoredFile.objects.create(name=new, size=row.size, modified=clock.now())
            # In the database alone: Django has no INSERT … SELECT.
            with connection.cursor() as cursor:
                cursor.execute(
                    "INSERT INTO annotation_filepiece (file_id, start, content) "
                    "SELECT %s, start, content FROM annotation_filepiece WHERE file_id = %s",
                    [made.pk, row.pk],
                )
        return True

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def exists(self, name: str) -> bool:
        return StoredFile.objects.filter(name=name).exists()

    def size(self, name: str) -> int:
        return self._row(name).size

    def get_modified_time(self, name: str) -> datetime:
        return self._row(name).modified

    def delete(self, name: str) -> None:
        StoredFile.objects.filter(name=name).delete()

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Return the names of the folders and of the files in a folder.

        One query, for which the database reads the names of all files in the folder and below.
        """
        prefix = f"{path}/" if path else ""
        below = StoredFile.objects.filter(name__startswith=prefix).annotate(
            rest=Substr("name", len(prefix) + 1)
        )
        # That of a folder ends with a slash.
        of_folder = Left("rest", StrIndex("rest", Value("/")))
        entry = Case(When(rest__contains="/", then=of_folder), default="rest")
        entries = below.order_by(entry).values_list(entry, flat=True).distinct()
        folders = [name.removesuffix("/") for name in entries if name.endswith("/")]
        return folders, [name for name in entries if not name.endswith("/")]

    def _row(self, name: str) -> StoredFile:
        row = StoredFile.objects.filter(name=name).first()
        if row is None:
            raise FileNotFoundError(f"The database has no file {name}.")
        return row


class _StoredContent(io.RawIOBase):
    """The bytes of a stored file, a query for each piece that is read."""

    def __init__(self, pk: int, size: int) -> None:
        self._pk, self._size, self._place = pk, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, origin + offset)
        return self._place

    def readinto(self, buffer: Any) -> int:
        if self._place >= self._size:
            return 0
        pieces = FilePiece.objects.filter(file=self._pk, start__lte=self._place)
        found = pieces.order_by("-start").values_list("start", "content").first()
        if found is None:
            raise FileNotFoundError("The file was deleted while it was read.")
        start, content = found
        part = memoryview(content).cast("B")[self._place - start :][: len(buffer)]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)

"""Unpacks uploaded zip and gzip files, with a limit of bytes and names that are no paths."""

import gzip
import hashlib
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from django.conf import settings

from annotation.formats.encodings import UTF_8
from annotation.formats.errors import InputError
from annotation.formats.media_files import HEAD, TOO_LARGE, media_type
from annotation.formats.problems import Refused
from annotation.formats.spreadsheets import XLSX, name_end
from annotation.formats.text_files import open_texts
from annotation.uploads.file_detection import (
    is_gzip,
    is_zip,
    refuse_other_than_text,
    shown_name,
)

MOST_ENTRIES = 1000
# Bytes of the table of contents of MOST_ENTRIES entries with long names.
_LARGEST_TABLE = 1_000_000
# Bytes of a spreadsheet unpacked; they take ten seconds to read.
_LARGEST_SPREADSHEET = 40_000_000
_CHUNK = 64 * 1024
_ENCRYPTED = 0x1
# Methods that are unpacked in small pieces. With others, a few hundred bytes can become gigabytes
# in memory before they can be counted.
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# The last record of a zip: signature, …, entries, size of the table, …
_END = struct.Struct("<4s4H2LH")
_END_SIGNATURE = b"PK\x05\x06"
# Right before it, there may be a 64-bit record (…, entries, size of the table, …) and its locator:
# then `zipfile` believes that record.
_END_64_SIGNATURE = b"PK\x06\x06"
_END_64 = struct.Struct("<32x2Q8x")
_LOCATOR_SIZE = 20
_LONGEST_END = _END_64.size + _LOCATOR_SIZE + _END.size + 65_535
_OFFICE = {"[Content_Types].xml", "mimetype"}

# Returns a new path in the upload's folder.
NewPath = Callable[[], Path]


@dataclass(frozen=True)
class Stored:
    """A plain text or a medium as it lies on disk, unpacked; `sha256` is that of its file.

    `read_as` is what that file was, as "CSV, Windows-1250"; "" for a plain text in UTF-8. A column
    of a table has the table's name and its heading. Only a medium has a `media_type`.
    """

    name: str
    path: Path
    size: int
    sha256: str
    lines: int
    read_as: str = ""
    table: str = ""
    heading: str = ""
    media_type: str = ""


def store(
    name: str, file: IO[bytes], new_path: NewPath, limit: int, encoding: str = UTF_8
) -> Iterator[Stored | Refused]:
    """Store the texts of a file or the medium, or those of the entries of a zip, and yield them.

    `encoding` is that of texts which are not UTF-8; without it, they are stored as they are. For an
    entry of a zip that is neither, yields its refusal. Raises Refused if the whole file is refused,
    or its texts have more than `limit` bytes.
    """
    head = _head(file)
    if is_zip(head) and name_end(name) != XLSX:
        yield from _store_entries(name, file, new_path, limit, encoding)
    else:
        yield from _store_texts(name, file, head, new_path, limit, encoding)


def _store_entries(
    name: str, file: IO[bytes], new_path: NewPath, limit: int, encoding: str
) -> Iterator[Stored | Refused]:
    with opened_zip(name, file, limit) as (archive, entries):
        if {entry.filename for entry in entries} & _OFFICE:
            raise Refused("no-text", name)
        left = limit
        for entry in entries:
            shown = shown_name(entry.filename)
            with archive.open(entry) as inside:
                try:
                    head = _head(inside)
                    if is_zip(head) and name_end(shown) != XLSX:
                        raise Refused("zip-in-zip", shown)
                    texts = _store_texts(shown, inside, head, new_path, left, encoding)
                except Refused as refusal:
                    if refusal.problem.code in {"too-large", "too-large-unpacked"}:
                        raise Refused("too-large-unpacked", name) from refusal
                    yield refusal
                    continue
            left -= sum(text.size for text in texts)
            yield from texts


@contextmanager
def opened_zip(
    name: str, file: IO[bytes], limit: int
) -> Iterator[tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]]:
    """Open a zip, and yield it with its entries, at most `limit` bytes together.

    Raises Refused, also if an entry that is read inside cannot be unpacked.
    """
    _check_table(file, name)
    with _damage(name), zipfile.ZipFile(file) as archive:
        entries = [entry for entry in archive.infolist() if not _is_clutter(entry.filename)]
        _check_entries(entries, name, limit)
        yield archive, entries


def _check_table(file: IO[bytes], name: str) -> None:
    """Check the size of the table of contents first: to read millions of entries fills memory."""
    file.seek(0, 2)
    size = file.tell()
    file.seek(max(0, size - _LONGEST_END))
    end = file.read()
    at = end.rfind(_END_SIGNATURE)
    if at < 0 or len(end) < at + _END.size:
        raise Refused("zip-damaged", name)
    _signature, _disk, _table_disk, _here, entries, table, *_rest = _END.unpack_from(end, at)
    sizes = [(entries, table)]
    at_64 = at - _LOCATOR_SIZE - _END_64.size
    if at_64 >= 0 and end.startswith(_END_64_SIGNATURE, at_64):
        sizes.append(_END_64.unpack_from(end, at_64))
    if any(entries > MOST_ENTRIES or table > _LARGEST_TABLE for entries, table in sizes):
        raise Refused("zip-entries", name, most=MOST_ENTRIES)
    file.seek(0)


def _check_entries(entries: list[zipfile.ZipInfo], name: str, limit: int) -> None:
    if len(entries) > MOST_ENTRIES:
        raise Refused("zip-entries", name, most=MOST_ENTRIES)
    if not entries:
        raise Refused("zip-empty", name)
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            raise Refused("zip-encrypted", name)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise Refused("zip-link", name, entry=shown_name(entry.filename))
        if entry.compress_type not in _METHODS:
            raise Refused("zip-damaged", name)
    if sum(entry.file_size for entry in entries) > limit:
        raise Refused("too-large-unpacked", name)


def _is_clutter(name: str) -> bool:
    """Return whether it is a folder or a hidden file that operating systems add to zips."""
    parts = name.replace("\\", "/").split("/")
    return not parts[-1] or parts[-1].startswith(".") or parts[0] == "__MACOSX"


def _store_texts(
    name: str, file: IO[bytes], head: bytes, new_path: NewPath, limit: int, encoding: str
) -> list[Stored]:
    """Store the texts of a file, or the medium; nothing remains of a refused one."""
    if found := media_type(head):
        path = new_path()
        most = int(settings.MAX_MEDIUM_BYTES)
        too_large = (
            Refused("too-large", name)
            if limit < most
            else Refused(TOO_LARGE, name, limit=most // 1_000_000)
        )
        size, sha256 = _write(file, path, min(limit, most), too_large)
        return [Stored(name, path, size, sha256, lines=0, media_type=found)]
    raw = _store_bytes(name, file, head, new_path(), limit, encoding)
    written: list[Path] = []

    def new_written() -> Path:
        written.append(new_path())
        return written[-1]

    try:
        if is_zip(head):
            _check_spreadsheet(raw.path, name)
        opened = open_texts(raw.path, name, new_written, encoding)
        texts = [
            replace(
                raw,
                name=shown_name(f"{name}, {heading}") if heading else name,
                path=path,
                size=path.stat().st_size,
                lines=_count_lines(path),
                table=name if heading else "",
                heading=heading,
                read_as=opened.read_as,
            )
            for heading, path in opened.texts.items()
        ]
        if sum(text.size for text in texts) > limit:
            raise Refused("too-large", name)
    except BaseException as problem:
        for path in (raw.path, *written):
            path.unlink(missing_ok=True)
        if isinstance(problem, InputError):
            named = problem.with_names({str(raw.path): name})
            raise Refused.of_error(named) from problem
        raise
    if opened.read_as:
        raw.path.unlink()
    return texts


def _store_bytes(
    name: str, file: IO[bytes], head: bytes, path: Path, limit: int, encoding: str
) -> Stored:
    """Write a file, unpacked if it is gzipped; nothing remains of a refused one."""
    packed = is_gzip(head)

    def check(chunk: bytes) -> None:
        if not is_zip(head):
            refuse_other_than_text(chunk, name, encoding)

    with _unzipped(file, packed, name) as plain:
        too_large = Refused("too-large-unpacked" if packed else "too-large", name)
        size, sha256 = _write(plain, path, limit, too_large, check)
    return Stored(name, path, size, sha256, lines=0)


def _write(
    file: IO[bytes],
    path: Path,
    limit: int,
    too_large: Refused,
    check: Callable[[bytes], None] = lambda _first: None,
) -> tuple[int, str]:
    """Write a file; return its size and checksum. Nothing remains of a refused one.

    `check` raises Refused for the first bytes.
    """
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("xb") as out:
            while chunk := file.read(_CHUNK):
                if not size:
                    check(chunk)
                size += len(chunk)
                if size > limit:
                    raise too_large
                digest.update(chunk)
                out.write(chunk)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return size, digest.hexdigest()


def _check_spreadsheet(path: Path, name: str) -> None:
    with path.open("rb") as file:
        _check_table(file, name)
        with _damage(name), zipfile.ZipFile(file) as archive:
            _check_entries(archive.infolist(), name, _LARGEST_SPREADSHEET)


def _count_lines(path: Path) -> int:
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return lines + (last != b"\n")


def _head(file: IO[bytes]) -> bytes:
    head = file.read(HEAD)
    file.seek(0)
    return head


@contextmanager
def _unzipped(file: IO[bytes], packed: bool, name: str) -> Iterator[IO[bytes]]:
    if not packed:
        yield file
        return
    try:
        with gzip.open(file) as plain:
            yield plain  # type: ignore[misc]
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise Refused("gzip-damaged", name) from problem


@contextmanager
def _damage(name: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (
        zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, ValueError
    ) as problem:  # fmt: skip
        raise Refused("zip-damaged", name) from problem

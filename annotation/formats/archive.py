"""The archive of a project: JSON lines, the version first, counts and a checksum last.

Each line between holds one record: the project, then its systems, its accounts, its instructions,
its sentences (each with translations, segments, candidates and projections; copies for practice and
control after their originals), its assignments (each with what was shown, drafted and submitted),
how often its report is made, and judgements of its whole sentences that were made elsewhere. There
are no database ids in it: sentences go by purpose and number, systems and accounts by their names,
instructions by their versions, segments and candidates by their positions, from 0. Versions 1 to 3
are read too.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from annotation.formats import (
    archive_version_1,
    archive_version_2,
    archive_version_3,
    strict_json,
)
from annotation.formats.archive_reading import from_json
from annotation.formats.archive_records import RECORDS, Record, plain
from annotation.formats.errors import InputError
from annotation.formats.plain_text import open_binary

VERSION = 4
# The tags of earlier versions, in their order.
TAGS: dict[int, tuple[str, ...]] = {
    1: archive_version_1.TAGS,
    2: archive_version_3.TAGS,
    3: archive_version_3.TAGS,
}
# A line holds one sentence with all that belongs to it; this is far beyond any.
LONGEST_LINE = 64_000_000

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=plain).encode


def archive_lines(records: Iterable[Record]) -> Iterator[str]:
    """Yield the lines of an archive of these records, which come in the order of RECORDS."""
    digest = hashlib.sha256()
    counts: Counter[str] = Counter()
    header = _line({"segranks_archive": VERSION})
    digest.update(header.encode())
    yield header
    for record in records:
        line = _line({record.tag: record})
        counts.update(record.rows())
        digest.update(line.encode())
        yield line
    yield _line({"end": {"rows": dict(sorted(counts.items())), "sha256": digest.hexdigest()}})


def _line(value: dict[str, Any]) -> str:
    return _encode(value) + "\n"


def check_archive(path: Path) -> None:
    """Read an archive through and compare its checksum.

    Raises InputError where it is no archive, is of a newer version, ends early or was changed.
    """
    digest = hashlib.sha256()
    last = b""
    with open_binary(path) as file:
        for number, line in enumerate(_lines(file, path), start=1):
            if number == 1:
                _read_version(line, path)
            digest.update(last)
            last = line
    if not last:
        raise InputError(f"{path} is empty: give an archive made by `export_project`.")
    end = _end_of(last, path)
    if end["sha256"] != digest.hexdigest():
        raise InputError(
            f"{path} is damaged or was changed: its checksum is not the one in its last line."
        )


def read_archive(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield the records of an archive that `check_archive` accepted, each with file and line.

    Raises InputError for a record that is malformed or out of order, and where the counts in the
    last line are others.
    """
    counts: Counter[str] = Counter()
    tags: list[str] = []
    reached = 0
    with open_binary(path) as file:
        for number, line in enumerate(_lines(file, path), start=1):
            where = f"{path}, line {number}"
            tag, value = _only_item(strict_json.load(_decode(line, where), where), where)
            if number == 1:
                version = _read_version(line, path)
                tags = list(TAGS.get(version, RECORDS))
                continue
            if tag == "end" and number > 2:
                _check_counts(_end_of(line, path)["rows"], counts, version, path)
                return
            if tag not in tags:
                raise InputError(f"{where}: {tag!r} is none of {', '.join(tags)}.")
            if tags.index(tag) < reached or (tag == "project") != (number == 2):
                raise InputError(f"{where}: {tag!r} is out of order: {', '.join(tags)}.")
            reached = tags.index(tag)
            for record in _records(tag, value, where, version):
                counts.update(record.rows())
                yield where, record
    raise InputError(f"{path} ends early: its last line, with the checksum, is missing.")


def _records(tag: str, value: Any, where: str, version: int) -> Iterator[Record]:
    if version == 1:
        yield from archive_version_1.from_version_1(tag, value, where)
    elif version == 2:
        yield archive_version_2.from_version_2(tag, value, where)
    elif version == 3:
        yield archive_version_3.from_version_3(tag, value, where)
    else:
        yield from_json(tag, value, where)


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise InputError(f"{path} has a line of over {LONGEST_LINE:,} bytes: no archive has.")
        yield line


def _read_version(line: bytes, path: Path) -> int:
    try:
        version = json.loads(line)["segranks_archive"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path} is not an archive made by `export_project`.") from None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError(f"{path} is an archive of the unknown version {version!r}.")
    if version > VERSION:
        raise InputError(
            f"{path} is an archive of version {version}, and this SegRanks reads only up to "
            f"version {VERSION}: install a newer SegRanks."
        )
    return version


def _end_of(line: bytes, path: Path) -> dict[str, Any]:
    where = f"{path}, last line"
    try:
        tag, value = _only_item(strict_json.load(_decode(line, where), where), where)
    except InputError:
        tag, value = "", None
    if tag != "end":
        raise InputError(f"{path} ends early: its last line, with the checksum, is missing.")
    return strict_json.record(
        value, where, {"rows": strict_json.mapping, "sha256": strict_json.text}
    )


def _decode(line: bytes, where: str) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InputError(f"{where}: this is not UTF-8.") from None


def _only_item(value: Any, where: str) -> tuple[str, Any]:
    if not isinstance(value, dict) or len(value) != 1:
        raise InputError(f"{where}: an object with exactly one key is needed.")
    ((tag, content),) = value.items()
    return tag, content


def _check_counts(said: dict[str, Any], counted: Counter[str], version: int, path: Path) -> None:
    unsaid = {1: archive_version_1.NEW_ROWS, 2: archive_version_2.NEW_ROWS}.get(version, ())
    if said != {table: count for table, count in counted.items() if table not in unsaid}:
        raise InputError(f"{path} is incomplete: it has not the rows that its last line counts.")

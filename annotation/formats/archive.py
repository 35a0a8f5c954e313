"""The archive of a project: JSON lines, the version first, a checksum last.

Each line between holds one record (see `archive_records`): the project, then its systems, accounts,
versions of instructions, sentences (each with translations, segments, candidates and projections;
copies for practice and control after their originals), media beside lines (names and checksums, not
the files), assignments (each with what was shown, drafted and submitted), what curators settled,
reservations of sentences, batches of direct assessment, the report's schedule, imported judgements
of whole sentences, the settings of pay and start links, and versions of the questionnaire
with people's answers. There are no database ids: sentences are identified by purpose and number,
systems and accounts by their names, instructions by their versions, segments and candidates by
their positions, from 0.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from msgspec.json import Decoder

from annotation.formats import strict_json
from annotation.formats.archive_records import RECORDS, EndRecord, HeaderRecord, Record
from annotation.formats.errors import InputError
from annotation.formats.fingerprints import check_regular
from annotation.formats.plain_text import open_binary

# SegRanks reads archives of this version and of lower ones. A field that is added has a default and
# needs no new version: older SegRanks refuse it. A change that they would misread needs one.
ARCHIVE_VERSION = 1
# A line holds one sentence with everything that belongs to it; none is nearly this long.
LONGEST_LINE = 64_000_000

_header = Decoder(HeaderRecord)
_end = Decoder(EndRecord)
_record = Decoder(Record | EndRecord)
_ORDER: dict[type, int] = {kind: place for place, kind in enumerate((*RECORDS, EndRecord))}


def archive_lines(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the lines of an archive of these records, which come in the order of RECORDS."""
    digest = hashlib.sha256()
    for record in chain([HeaderRecord(ARCHIVE_VERSION)], records):
        line = strict_json.encode(record) + b"\n"
        digest.update(line)
        yield line
    yield strict_json.encode(EndRecord(digest.hexdigest())) + b"\n"


def check_archive(path: Path) -> None:
    """Read an archive through and compare its checksum.

    Raises InputError if it is no archive, of a later version, cut short or changed, and if it is a
    pipe, which cannot be read again.
    """
    check_regular(path)
    digest = hashlib.sha256()
    last = b""
    for number, line in _lines(path):
        if number == 1:
            _check_version(line, path)
        digest.update(last)
        last = line
    if not last:
        raise InputError(f"{path} is empty: give an archive that `export_project` wrote.")
    try:
        end = strict_json.decode(last.removesuffix(b"\n"), _end, str(path))
    except InputError:
        raise InputError(
            f"{path} is cut short: its last line, with the checksum, is missing."
        ) from None
    if end.sha256 != digest.hexdigest():
        raise InputError(
            f"{path} is damaged or was changed: its checksum is not the one in its last line."
        )


def read_archive(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield the records of an archive that `check_archive` accepted, each with file and line.

    Raises InputError for a record that is malformed or out of order.
    """
    before = -1
    for number, line in _lines(path):
        if number == 1:
            continue
        where = f"{path}, line {number}"
        try:
            record = strict_json.decode(line.removesuffix(b"\n"), _record, where)
        except InputError as problem:
            raise InputError(
                f"{problem.template} If a later SegRanks wrote the archive, use that one.", where
            ) from None
        place = _ORDER[type(record)]
        if place < before or (place == 0) != (number == 2):
            raise InputError(
                f"{where}: this record is out of order: {', '.join(map(tag_of, RECORDS))}."
            )
        before = place
        if not isinstance(record, EndRecord):
            yield where, record


def tag_of(record: type[Record] | Record) -> str:
    """Return what a line calls this kind of record, such as "sentence"."""
    return str(record.__struct_config__.tag)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    with open_binary(path) as file:
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(
                    f"{path}, line {number}: the line has more than {LONGEST_LINE:,} bytes, which "
                    "no archive has."
                )
            yield number, line


def _check_version(line: bytes, path: Path) -> None:
    try:
        version = strict_json.decode(line.removesuffix(b"\n"), _header, str(path)).version
    except InputError:
        raise InputError(f"{path} is not an archive that `export_project` wrote.") from None
    if version > ARCHIVE_VERSION:
        raise InputError(
            f"{path} is an archive of version {version}, and this SegRanks reads versions up to "
            f"{ARCHIVE_VERSION}: use the SegRanks that wrote it, which is later or before 1.0."
        )

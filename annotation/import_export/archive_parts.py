"""The registry by which other apps add records about a project to its archive."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.archive_records import RECORDS, Record
from annotation.models import Project

# Records with file and line, as read from an archive.
Page = list[tuple[str, Any]]


@dataclass(frozen=True)
class Part:
    """How records of one kind are read from a project's tables, and stored in a restored project.

    `restorer` is called once a project and returns a function that stores a page of records; it
    raises InputError for a record that contradicts the project.
    """

    kind: type[Record]
    records: Callable[[Project], Iterator[Record]]
    restorer: Callable[[Project], Callable[[Page], None]]


_parts: dict[type[Record], Part] = {}


def add_archive_part(part: Part) -> None:
    _parts[part.kind] = part


def parts() -> list[Part]:
    """Return all parts, in the order of an archive."""
    return [_parts[kind] for kind in RECORDS if kind in _parts]


def part(kind: type[Record]) -> Part:
    return _parts[kind]

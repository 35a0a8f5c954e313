"""The records about a project that other apps add to its archive."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from annotation.formats.archive_records import RECORDS, Record
from annotation.models import Project
from annotation.signals import archive_opened

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


@cache
def _parts() -> dict[type[Record], Part]:
    answers = cast("list[tuple[object, Iterable[Part]]]", archive_opened.send(sender=None))
    return {part.kind: part for _receiver, of_app in answers for part in of_app}


def parts() -> list[Part]:
    """Return all parts, in the order of an archive."""
    return [_parts()[kind] for kind in RECORDS if kind in _parts()]


def part(kind: type[Record]) -> Part:
    return _parts()[kind]

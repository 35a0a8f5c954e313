"""What other rooms keep about a project, for its archive: they say themselves how."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.formats.archive_records import RECORDS, Record
from annotation.models import Project

# Records with file and line, as they come from an archive.
Page = list[tuple[str, Any]]


@dataclass(frozen=True)
class Part:
    """How the records of one tag are read from a project's tables, and stored in a restored one.

    `restorer` is asked once a project, and what it returns stores one page after another; it raises
    InputError for a record that is at odds with the project.
    """

    tag: str
    records: Callable[[Project], Iterator[Record]]
    restorer: Callable[[Project], Callable[[Page], None]]


_parts: dict[str, Part] = {}


def keep_in_archives(part: Part) -> None:
    """From now on, archives have these records."""
    _parts[part.tag] = part


def parts() -> list[Part]:
    """Return all of them, in the order that an archive has."""
    return [_parts[tag] for tag in RECORDS if tag in _parts]


def part(tag: str) -> Part | None:
    return _parts.get(tag)

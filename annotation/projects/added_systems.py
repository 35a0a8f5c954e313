"""What the provenance of a project says of systems that were added to it.

A restored archive may have anything there: what does not fit is left out.
"""

from typing import Any, Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.models import Project

# A segment as provenance has it: number of the sentence and positions of its tokens.
Sampled = tuple[int, str]
LARGEST_NUMBER: Final = 2**31 - 1


def entries(project: Project) -> dict[str, dict[str, Any]]:
    """Return the entries of the added systems by name, in the order in which they were added."""
    provenance = project.provenance if isinstance(project.provenance, dict) else {}
    added = provenance.get("added")
    rows = [row for row in added if isinstance(row, dict)] if isinstance(added, list) else []
    return {plain_name(str(row.get("system"))): row for row in rows}


def entry_of(project: Project, name: str) -> dict[str, Any]:
    """Return the entry of an added system, which the caller may change; raise InputError."""
    name = plain_name(name)
    if name not in (found := entries(project)):
        raise InputError(
            _("The system %(name)r was not added to this project after it was prepared."), name=name
        )
    return found[name]


def sampled_segments(entry: dict[str, Any]) -> list[Sampled]:
    """Return the segments that were sampled to judge the system, in the order of sampling."""
    sampled = entry.get("sampled")
    return [
        (row[0], row[1])
        for row in (sampled if isinstance(sampled, list) else ())
        if isinstance(row, list)
        and [type(part) for part in row] == [int, str]
        and 0 < row[0] <= LARGEST_NUMBER
    ]


def wanted_sample(entry: dict[str, Any]) -> int | None:
    """Return how many segments were to be sampled; None if all new candidates are judged again."""
    wanted = entry.get("judge")
    return wanted if type(wanted) is int else None


def sampled_systems(project: Project) -> list[str]:
    """Return the names of the systems that are judged by sampled segments only.

    One query where the provenance has any.
    """
    found = [name for name, entry in entries(project).items() if wanted_sample(entry) is not None]
    if not found:
        return []
    known = set(project.systems.filter(name__in=found).values_list("name", flat=True))
    return [name for name in found if name in known]


def segments_to_show(project: Project) -> dict[int, set[str]]:
    """Return the positions of the segments sampled for any system, by number of the sentence."""
    found: dict[int, set[str]] = {}
    for entry in entries(project).values():
        for number, positions in sampled_segments(entry):
            found.setdefault(number, set()).add(positions)
    return found

"""The systems that were added to a project after it was prepared, by its provenance."""

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.models import Project
from annotation.projects.provenance import AddedSystem, provenance_of


def entries(project: Project) -> dict[str, AddedSystem]:
    """Return the added systems by name, in the order in which they were added."""
    return {entry.system: entry for entry in provenance_of(project).added if entry}


def entry_of(project: Project, name: str) -> AddedSystem:
    """Return the entry of an added system; raise InputError."""
    name = plain_name(name)
    if name not in (found := entries(project)):
        raise InputError(
            _("The system %(name)r was not added to this project after it was prepared."), name=name
        )
    return found[name]


def sampled_systems(project: Project) -> list[str]:
    """Return the names of the systems that are judged by sampled segments only.

    One query where the provenance has any.
    """
    found = [name for name, entry in entries(project).items() if entry.judge is not None]
    if not found:
        return []
    known = set(project.systems.filter(name__in=found).values_list("name", flat=True))
    return [name for name in found if name in known]


def segments_to_show(project: Project) -> dict[int, set[str]]:
    """Return the positions of the segments sampled for any system, by number of the sentence."""
    found: dict[int, set[str]] = {}
    for entry in entries(project).values():
        for number, positions in entry.sampled:
            found.setdefault(number, set()).add(positions)
    return found

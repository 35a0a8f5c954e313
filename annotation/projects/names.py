"""Finds projects by name or id, and checks the names of new ones."""

from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.models import Project


def find_project(id_or_name: str) -> Project:
    """Return the project with this id or name. Raise InputError for none or two."""
    id_or_name = plain_name(id_or_name)
    named = Project.objects.filter(name=id_or_name).first()
    is_id = id_or_name.isascii() and id_or_name.isdigit() and len(id_or_name) < 19
    numbered = Project.objects.filter(pk=int(id_or_name)).first() if is_id else None
    if named and numbered and named != numbered:
        raise InputError(
            f"{id_or_name} is the name of project {named.pk} and the id of {numbered.name!r}: "
            f"write {named.pk} or {numbered.name!r}."
        )
    found = named or numbered
    if found:
        return found
    raise InputError(
        f"There is no project {id_or_name!r}: `manage.py statistics` lists the projects with "
        "their ids and names."
    )


def check_new_name(name: str) -> str:
    """Return the plain name if a new project may have it. Raise InputError."""
    name = plain_name(name)
    if not name:
        raise InputError("The name of the project is empty.")
    longest = Project._meta.get_field("name").max_length or 0
    if len(name) > longest:
        raise InputError(f"The project's name has {len(name)} characters: {longest} are allowed.")
    if not name.isprintable():
        raise InputError(f"The project's name {name!r} has characters that cannot be printed.")
    if Project.objects.filter(name=name).exists():
        raise InputError(f"There is a project {name!r} already: choose another name.")
    return name

"""Finds projects by name or id, and checks the names and languages of new ones."""

import re

from annotation.formats.errors import InputError
from annotation.models import Project

# The name of the reference among systems.
REFERENCE = "reference"


LANGUAGE_PAIR = re.compile(r"([A-Za-z]{2,3}(?:_[A-Za-z0-9]+)*)-([A-Za-z]{2,3}(?:_[A-Za-z0-9]+)*)")


def find_project(id_or_name: str) -> Project:
    """Return the project with this id or exact name. Raise InputError for none or two."""
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


def parse_languages(pair: str) -> tuple[str, str]:
    """Return source and target language of a pair such as "en-cs". Raise InputError."""
    match = LANGUAGE_PAIR.fullmatch(pair)
    if not match:
        raise InputError(f"--languages {pair!r} is not a pair of language codes such as en-cs.")
    return match[1], match[2]


def check_new_name(name: str) -> str:
    """Return the trimmed name if a new project may have it. Raise InputError."""
    name = name.strip()
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

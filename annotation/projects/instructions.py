"""The instructions of a project for its annotators; all versions are kept.

A section whose heading is "Documents: NAME", of any level, is for documents whose names begin with
NAME: it stands above their sheets, and not in the instructions of others. It ends with the next
heading of its level, or of one above.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from django.core.cache import cache
from django.db import transaction
from django.utils.safestring import SafeString

from annotation.common.caching import project_key
from annotation.common.markdown import as_html
from annotation.common.transactions import retried
from annotation.models import Instructions, Project, User
from annotation.process import clock

INSTRUCTIONS_CACHE_SECONDS = 10
_HEADING: Final = re.compile(r"(#{1,6})\s")
_OF_DOCUMENTS: Final = re.compile(r"#{1,6}\s+documents:\s*(.+?)\s*#*", re.IGNORECASE)


@dataclass(frozen=True)
class DividedInstructions:
    """What all annotators read, and by the beginnings of names what is for some documents."""

    general: str
    of_documents: dict[str, str]

    def domain_of(self, name: str) -> str:
        """Return the longest beginning of the name that has a section; "" for none."""
        begun = [one for one in self.of_documents if name and name.startswith(one)]
        return max(begun, key=len, default="")

    def of_document(self, name: str) -> str:
        """Return what is for the document of this name; "" for nothing."""
        return self.of_documents.get(self.domain_of(name), "")


def divide(text: str) -> DividedInstructions:
    """Divide Markdown into what is for all documents and what is for some."""
    general: list[str] = []
    of_documents: dict[str, list[str]] = {}
    lines, level = general, 0
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            marks = len(heading[1])
            if section := _OF_DOCUMENTS.fullmatch(line.strip()):
                lines, level = of_documents.setdefault(section[1], []), marks
                continue
            if marks <= level:
                lines, level = general, 0
        lines.append(line)
    sections = {name: "\n".join(written).strip() for name, written in of_documents.items()}
    return DividedInstructions("\n".join(general).strip(), sections)


def current_instructions(project: Project) -> Instructions | None:
    """Return the latest version; None if the project shows SegRanks' own instructions."""
    latest = project.instructions.order_by("-version").first()
    return latest if latest and latest.text else None


def domains_of(project: Project, documents: Iterable[str]) -> dict[str, str]:
    """Return the domains of documents: those that the instructions have sections for. One query."""
    current = current_instructions(project)
    divided = divide(current.text) if current else DividedInstructions("", {})
    return {name: divided.domain_of(name) for name in documents}


def current_instructions_id(project: Project) -> int | None:
    """Return the id of the same version. Another process may not know a new one for a moment."""

    def read() -> int | None:
        current = current_instructions(project)
        return current.pk if current else None

    pk: int | None = cache.get_or_set(_cache_key(project), read, INSTRUCTIONS_CACHE_SECONDS)
    return pk


@retried
def write_instructions(*, project: Project, author: User, text: str) -> Instructions:
    """Store a new version, which takes effect now; an empty one restores SegRanks' own."""
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        latest = project.instructions.order_by("-version").first()
        written = Instructions.objects.create(
            project=project,
            version=latest.version + 1 if latest else 1,
            text=text.strip(),
            created=clock.now(),
            author=author,
        )
    cache.delete(_cache_key(project))
    return written


def html_of(instructions_id: int, instructions: Instructions | None = None) -> SafeString:
    """Return a stored version as HTML; rendered once by each process, since it never changes.

    It is read where the caller does not have it.
    """

    def render() -> SafeString:
        return as_html((instructions or Instructions.objects.get(pk=instructions_id)).text)

    return cast(SafeString, cache.get_or_set(f"instructions:{instructions_id}", render, None))


def divided_html_of(instructions_id: int) -> DividedInstructions:
    """Return a stored version as HTML, divided; rendered once by each process."""

    def render() -> DividedInstructions:
        divided = divide(Instructions.objects.get(pk=instructions_id).text)
        sections = {name: as_html(text) for name, text in divided.of_documents.items()}
        return DividedInstructions(as_html(divided.general), {**sections})

    key = f"divided-instructions:{instructions_id}"
    return cast(DividedInstructions, cache.get_or_set(key, render, None))


def _cache_key(project: Project) -> str:
    return project_key("instructions", project)

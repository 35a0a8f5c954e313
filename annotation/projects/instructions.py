"""The instructions of a project for its annotators; all versions are kept."""

from typing import cast

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from django.utils.safestring import SafeString

from annotation.common.caching import project_key
from annotation.common.markdown import as_html
from annotation.common.transactions import retried
from annotation.models import Instructions, Project, User

INSTRUCTIONS_CACHE_SECONDS = 10


def current_instructions(project: Project) -> Instructions | None:
    """Return the latest version; None if the project shows SegRanks' own instructions."""
    latest = project.instructions.order_by("-version").first()
    return latest if latest and latest.text else None


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
            created=timezone.now(),
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


def _cache_key(project: Project) -> str:
    return project_key("instructions", project)

"""What a page has to help the annotator, by the names under which assignments store it."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Project

# What reports call judgements that were made with each of them.
AIDS: Final[dict[str, Any]] = {
    "highlights": _("with aligned words marked"),
    "second_try": _("after being asked to look again"),
}


def aids_of(project: Project) -> dict[str, Any]:
    """Return the aids of a new assignment; those that its page will not have are missing."""
    return {"highlights": True} if project.highlights else {}


def has_highlights(assignment: Assignment) -> bool:
    """Return whether the page of the assignment marks aligned words."""
    return assignment.aids.get("highlights") is True

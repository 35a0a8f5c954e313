"""What a page has to help the annotator, by the names under which assignments store it."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Project

# Was the second try after the check of attention; had words marked in which translations differ.
SECOND_TRY: Final = "second_try"
DIFFERENCES: Final = "differences"
# What reports call judgements that were made with each of them.
AIDS: Final[dict[str, Any]] = {
    "highlights": _("with aligned words marked"),
    SECOND_TRY: _("after being asked to look again"),
    DIFFERENCES: _("with differences marked"),
}


def aids_of(project: Project) -> dict[str, Any]:
    """Return the aids of a new assignment; those that its page will not have are missing."""
    return {"highlights": True} if project.highlights else {}


def has_highlights(assignment: Assignment) -> bool:
    """Return whether the page of the assignment marks aligned words."""
    return assignment.aids.get("highlights") is True


def note_aid(assignment_id: int, name: str) -> None:
    """Store that the annotator had this aid, which not all assignments of a project have."""
    assignment = Assignment.objects.filter(pk=assignment_id).only("aids").first()
    if assignment is not None and name not in assignment.aids:
        aids = assignment.aids | {name: True}
        Assignment.objects.filter(pk=assignment_id).update(aids=aids)

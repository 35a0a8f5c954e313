"""Whether a project can mark aligned words."""

from typing import Final

from annotation.common.error_messages import localize_error
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.projects.provenance import is_aligned

NO_SOURCE: Final = _(
    "Annotators do not see the source in this kind of judgement, so no words of it can be marked."
)
NOT_ALIGNED: Final = _(
    "The words of this project are not aligned, so aligned words cannot be marked: choose this "
    "when you create a project."
)


def check_highlights(project: Project) -> None:
    """Raise NotPossible unless the project can mark aligned words, or does so already. No query."""
    if project.highlights:
        return
    if not kind_of(project).shown.source:
        raise NotPossible(localize_error(InputError(NO_SOURCE)).words)
    if not is_aligned(project):
        raise NotPossible(localize_error(InputError(NOT_ALIGNED)).words)

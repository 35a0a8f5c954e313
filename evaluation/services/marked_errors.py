"""Whether annotators of a project mark errors and give scores."""

from annotation.kinds import kind_of
from annotation.models import Project


def has_marked_errors(project: Project) -> bool:
    """Return whether annotators mark errors and give scores in the project."""
    kind = kind_of(project)
    return kind.marks_errors and kind.highest_score is not None

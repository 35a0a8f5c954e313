"""Where annotators are redirected when nothing is left: other apps register a page here."""

from collections.abc import Callable
from typing import Final, Protocol

from annotation.models import Project, User


class AnnotatorStatus(Protocol):
    """What a hook may ask of the annotator's progress in a project (`annotator_progress`)."""

    @property
    def project(self) -> Project: ...
    @property
    def judged_by_me(self) -> int: ...
    @property
    def most_left(self) -> int | None: ...


# Returns the path to which an annotator without an open sentence is redirected, or None.
Ending = Callable[[User, AnnotatorStatus], str | None]

_endings: Final[list[Ending]] = []


def add_ending(ending: Ending) -> None:
    """Register a hook; called once by each app when it starts."""
    _endings.append(ending)


def place_to_go(annotator: User, progress: AnnotatorStatus) -> str | None:
    """Return the first path that a hook returns, or None."""
    return next((place for ending in _endings if (place := ending(annotator, progress))), None)

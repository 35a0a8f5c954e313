"""Where an annotator is sent who is given nothing more: other rooms may have such a place."""

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


# Returns the path to redirect an annotator to who has no open sentence, or None.
Ending = Callable[[User, AnnotatorStatus], str | None]

_endings: Final[list[Ending]] = []


def add_ending(ending: Ending) -> None:
    """Ask `ending` from now on; to be called once, while the program starts."""
    _endings.append(ending)


def place_to_go(annotator: User, progress: AnnotatorStatus) -> str | None:
    """Return the first path that an ending knows, or None."""
    return next((place for ending in _endings if (place := ending(annotator, progress))), None)

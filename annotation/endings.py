"""Where an annotator is sent who is given nothing more: other rooms may have such a place."""

from collections.abc import Callable
from typing import Final

from annotation.models import User
from annotation.progress import Standing

# Returns a path where it ends for this annotator, who has nothing in hand, and None where it does
# not concern him.
Ending = Callable[[User, Standing], str | None]

_endings: Final[list[Ending]] = []


def add_ending(ending: Ending) -> None:
    """Ask `ending` from now on; to be called once, while the program starts."""
    _endings.append(ending)


def place_to_go(annotator: User, progress: Standing) -> str | None:
    """Return the first path that an ending knows, or None."""
    return next((place for ending in _endings if (place := ending(annotator, progress))), None)

"""What takes long to find out, remembered by each process so that hardly anybody waits for it."""

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Final, Generic, TypeVar

from django.core.cache import cache
from django.db import Error as DatabaseError
from django.db import connection

log = getLogger(__name__)

# Seconds for which what is counted of a project is new.
REMEMBERED: Final = 60
# Sentences: a smaller project is counted quickly, and so always as it is.
LARGE: Final = 500
# So many times as long as it is new, it is kept for whoever asks meanwhile.
KEPT: Final = 2
# Seconds after which it is looked for again where that has come to nothing.
GIVEN_UP: Final = 30
# A process needs no more than one connection for this, however much grows old at once.
_one_by_one = threading.Lock()

Found = TypeVar("Found")


@dataclass(frozen=True)
class _Known(Generic[Found]):
    value: Found
    # By the clock of the machine, as the cache has it.
    new_until: float

    @property
    def is_new(self) -> bool:
        return time.time() < self.new_until


def key_of(what: str, project: Any) -> str:
    """Return a key for this of the project."""
    # Not by the id alone, which another project could get once this one is gone.
    return f"{what}:{project.pk}:{project.created.timestamp()}"


def recall(
    key: str,
    find: Callable[[], Found],
    seconds: float,
    *,
    worth: Callable[[Found], bool] = lambda _found: True,
    waiting: bool = False,
) -> Found:
    """Return what was found within so many seconds, else what `find` finds.

    What is not much older is returned too, and found anew in a thread of its own, unless the caller
    is `waiting` for it or in a transaction, where he may know better. Only what is `worth` it is
    remembered.
    """
    return recall_each(
        [key],
        lambda _keys: {key: find()},
        seconds,
        worth=lambda _key, found: worth(found),
        waiting=waiting,
    )[key]


def recall_each(
    keys: Collection[str],
    find: Callable[[Collection[str]], Mapping[str, Found]],
    seconds: float,
    *,
    worth: Callable[[str, Found], bool],
    waiting: bool = False,
) -> dict[str, Found]:
    """Return the same by key; `find` is given those that are to be found, all at once."""
    known: dict[str, _Known[Found]] = cache.get_many(keys)
    old = [key for key, one in known.items() if not one.is_new]
    if waiting or connection.in_atomic_block:
        known = {key: one for key, one in known.items() if one.is_new}
    elif old:
        _find_beside(old, lambda keys: _remember(find(keys), seconds, worth))
    values = {key: one.value for key, one in known.items()}
    unknown = [key for key in keys if key not in values]
    if unknown:
        values |= _remember(find(unknown), seconds, worth)
    return values


def _remember(
    found: Mapping[str, Found], seconds: float, worth: Callable[[str, Found], bool]
) -> Mapping[str, Found]:
    new_until = time.time() + seconds
    kept = {key: _Known(value, new_until) for key, value in found.items() if worth(key, value)}
    cache.set_many(kept, KEPT * seconds)
    cache.delete_many([key for key in found if key not in kept])
    return found


def _find_beside(keys: Collection[str], find: Callable[[Collection[str]], object]) -> None:
    """Let a thread find those of them that no other is at."""
    mine = [key for key in keys if cache.add(_at(key), True, GIVEN_UP)]
    if mine:
        thread = threading.Thread(target=_find, args=(mine, find), name="found anew", daemon=True)
        try:
            thread.start()
        except RuntimeError as problem:
            log.warning("What is remembered could not be found anew: %s", problem)


def _find(keys: Collection[str], find: Callable[[Collection[str]], object]) -> None:
    with _one_by_one:
        try:
            find(keys)
            cache.delete_many([_at(key) for key in keys])
        except DatabaseError as problem:
            # Whoever asks once it is not kept any more learns of it.
            log.warning("What is remembered could not be found anew: %s", problem)
        finally:
            connection.close()


def _at(key: str) -> str:
    return f"at:{key}"

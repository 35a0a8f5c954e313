"""Work that people without an account can request: a process does one such piece at a time.

More at once would take the threads and processors that all other visitors need.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from annotation.common.exceptions import Busy


@contextmanager
def one_at_a_time(lock: Lock, message: str) -> Iterator[None]:
    """Hold the lock of this work. Raise Busy with this message for people while it is held."""
    if not lock.acquire(blocking=False):
        raise Busy(message)
    try:
        yield
    finally:
        lock.release()

"""Threads that go on beside everything else, until they are told to end."""

import threading
from collections.abc import Callable


class Background:
    """A thread that does `work`, which looks at `ending` and ends once it is set."""

    def __init__(self, name: str, work: Callable[[], None]) -> None:
        self.ending = threading.Event()
        self._thread = threading.Thread(target=work, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Begin nothing more; return at once."""
        self.ending.set()

    def join(self, seconds: float) -> None:
        """Wait so long for the end of what was begun, if it was."""
        if self._thread.ident is not None:
            self._thread.join(seconds)

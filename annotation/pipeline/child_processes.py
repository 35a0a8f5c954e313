"""Ending the programs, such as an aligner, that this process has started."""

import os
import signal
from contextlib import suppress
from pathlib import Path


def kill_child_processes(thread: int | None = None) -> None:
    """Kill the programs that this process has started, and theirs.

    With the native id of a thread, kill only those that the thread has started. Does nothing on
    systems without /proc.
    """
    _kill_children(os.getpid(), "*" if thread is None else str(thread))


def _kill_children(pid: int, thread: str = "*") -> None:
    for file in Path(f"/proc/{pid}/task").glob(f"{thread}/children"):
        # A process that has ended meanwhile has no file.
        with suppress(OSError):
            for child in map(int, file.read_text().split()):
                _kill_children(child)
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

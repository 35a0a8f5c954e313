"""Ending the programs, such as an aligner, that this process has started."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def kill_all() -> None:
    """Kill the programs that this process has started, and theirs."""
    _kill(_descendants(os.getpid()))


def kill_those_of_thread(thread: int) -> None:
    """Kill the programs that the thread with this native id has started, and theirs.

    Does nothing on systems without /proc.
    """
    with suppress(OSError):
        started = (PROC / "self" / "task" / str(thread) / "children").read_text().split()
        for child in map(int, started):
            _kill([child, *_descendants(child)])


def _kill(pids: "Iterator[int] | list[int]") -> None:
    for pid in list(pids):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _descendants(pid: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, IndexError):
            # The name of a program, in brackets, may contain any character.
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            children.setdefault(int(status[1]), []).append(int(folder.name))
    found = children.get(pid, [])
    while found:
        child = found.pop()
        yield child
        found += children.get(child, [])

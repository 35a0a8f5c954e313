"""Telling processes apart, and whether the one that held a lease is still there."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def this_process() -> str:
    """Return what no other process is called: "host:pid:start", the start in clock ticks."""
    return named(os.getpid())


def named(pid: int) -> str:
    """Return what no other process than the one of this id on this host is called."""
    return f"{_host()}:{pid}:{_started(pid)}"


def is_gone(process: str) -> bool:
    """Return whether the process of this name ran on this host and has ended."""
    host, _, rest = process.partition(":")
    pid, _, started = rest.partition(":")
    # Where there is no /proc, nobody is known to be gone, and leases simply run out.
    return host == _host() and PROC.is_dir() and _started(int(pid)) != started


def end_children() -> None:
    """Kill the programs that this process has started, and theirs."""
    for pid in list(_descendants(os.getpid())):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def end_children_of_thread(thread: int) -> None:
    """Kill the programs that this thread of ours (its native id) has started, and theirs.

    Does nothing where the system does not say who started what.
    """
    try:
        started = (PROC / "self" / "task" / str(thread) / "children").read_text().split()
    except OSError:
        return
    for child in map(int, started):
        for pid in [child, *_descendants(child)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _host() -> str:
    # Containers may share a name, but then each numbers its processes for itself.
    try:
        numbering = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        numbering = 0
    return f"{socket.gethostname()}/{numbering}"


def _started(pid: int) -> str:
    """Return when the process began, or "" where there is none."""
    try:
        fields = _status(pid)
    except (OSError, IndexError):
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _status(pid: int) -> list[str]:
    # The name of the program, in brackets, may hold anything: what counts comes after it.
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()


def _descendants(pid: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, IndexError):
            children.setdefault(int(_status(int(folder.name))[1]), []).append(int(folder.name))
    found = children.get(pid, [])
    while found:
        child = found.pop()
        yield child
        found += children.get(child, [])

"""Percentiles of measurements, and the load of the machine."""

import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that at least `percent` of the values do not exceed."""
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]


def waits(seconds: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield a line for each kind of request: its count and milliseconds."""
    for kind, values in seconds.items():
        p50, p95, most = (1000 * percentile(values, percent) for percent in (50, 95, 100))
        yield f"{kind:11}{len(values):7}   p50 {p50:6.1f}   p95 {p95:6.1f}   max {most:6.0f} ms"


def machine() -> str:
    """Return the number of cores and the load average."""
    return f"{os.cpu_count()} cores, load average {', '.join(f'{n:.2f}' for n in os.getloadavg())}"


class Cores:
    """Busy cores during a measurement, of the whole machine and of a server."""

    def __init__(self, server: int) -> None:
        self._server = server
        self.machine = self.server = 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        began, machine, server = time.monotonic(), _of_machine(), _of_server(self._server)
        yield
        passed = time.monotonic() - began
        self.machine = (_of_machine() - machine) / passed
        self.server = (_of_server(self._server) - server) / passed


def _of_machine() -> float:
    """Return the busy seconds of all cores since the machine started."""
    ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    user, nice, system, _idle, _waiting, *interrupts = ticks
    return (user + nice + system + sum(interrupts)) / TICKS


def _of_server(pid: int) -> float:
    """Return the processor seconds of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(map(_of_process, [pid, *map(int, children)]))


def _of_process(pid: int) -> float:
    # After the name, which may contain blanks; user and system time are fields 14 and 15.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS

"""Measure the time and peak memory of `create_project`.

    python -m tests.load.create_project FOLDER [--aligner auto] [--times 1]

FOLDER has source.txt, reference.txt and systems/NAME.txt. The first run has half of the sentences,
the last all of them, `--times` over: their ratio shows how time and memory grow with the text. The
seconds of stages are stored with the job. Memory is the sum of the command and its children at its
peak, sampled every 50 ms.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from itertools import cycle, islice, pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--aligner", default="auto")
    parser.add_argument("--times", type=int, default=1, help="how often the texts are repeated")
    options = parser.parse_args()
    with (options.folder / "source.txt").open(encoding="utf-8") as file:
        lines = sum(1 for _ in file)
    figures = []
    for count in (lines // 2, lines * options.times):
        with tempfile.TemporaryDirectory() as name:
            figures.append(measure(options.folder, count, Path(name), options.aligner))
        seconds, peak, out = figures[-1]
        print(f"{count} sentences: {seconds:.1f} s, peak {peak / 2**20:.0f} MiB\n{out}", flush=True)
    (half, half_peak, _), (whole, whole_peak, _) = figures
    print(
        f"{2 * options.times} times the text: {whole / half:.2f} x the time, "
        f"{whole_peak / half_peak:.2f} x memory"
    )


def measure(folder: Path, lines: int, scratch: Path, aligner: str) -> tuple[float, int, str]:
    """Return seconds, peak bytes and the output of one run on the first `lines` sentences."""
    texts = {path.name: path for path in folder.glob("*.txt")}
    systems = {path.stem: path for path in sorted((folder / "systems").glob("*.txt"))}
    for path in (*texts.values(), *systems.values()):
        of_text = path.read_text(encoding="utf-8").splitlines(keepends=True)
        repeated = islice(cycle(of_text), lines)
        (scratch / path.name).write_text("".join(repeated), encoding="utf-8")
    environment = os.environ | {"SEGRANKS_DATA": str(scratch / "data")}
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    command = [
        *manage,
        "create_project",
        "measured",
        "--languages=en-cs",
        f"--source={scratch / 'source.txt'}",
        f"--reference={scratch / 'reference.txt'}",
        *(f"--system={name}={scratch / path.name}" for name, path in systems.items()),
        f"--aligner={aligner}",
    ]
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(memory, tree(process.pid))))
        time.sleep(0.05)
    seconds = time.perf_counter() - start
    out = process.stdout.read() if process.stdout else ""
    if process.returncode:
        sys.exit(f"the command failed with status {process.returncode}")
    return seconds, peak, out + stages(scratch / "data")


def stages(data: Path) -> str:
    """Return a line with the seconds of each stage, as stored with the job."""
    with closing(sqlite3.connect(data / "segranks.sqlite3")) as database:
        row = "select stages, julianday(finished) - julianday(started) from annotation_job"
        ((noted, days),) = database.execute(row)
    began = [*json.loads(noted), ["", days * 86_400]]
    parts = (f"{name} {after - start:.1f}" for (name, start), (_, after) in pairwise(began))
    return f"  seconds     {', '.join(parts)}\n"


def tree(pid: int) -> list[int]:
    """Return the process and its descendants.

    A child that has not started its program yet shares the memory of its parent, and is left out.
    """
    found = [pid]
    for parent in found:
        try:
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        except OSError:
            continue
        found += [child for child in map(int, children) if command_of(child) != command_of(parent)]
    return found


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def memory(pid: int) -> int:
    """Return the resident bytes of a process; shared pages count for each process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except OSError:
        return 0


if __name__ == "__main__":
    main()

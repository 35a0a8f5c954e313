"""Seconds and memory of imports and exports of a project, at two sizes.

    python -m tests.load.exchange [--sentences 1000 8000] [--database-url URL]

Generates segments, systems and judgements, and runs each command in its own process and data
folder. Memory is the peak of that process. Exits with status 1 if an export, or restoring or
deleting a project, needs more memory for the larger project.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("json", "pickle", "csv", "segments", "systems", "source-segments", "archive")
SYSTEMS = [f"system{number}" for number in range(10)]
SEGMENTS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (10, 11, 12)]
CANDIDATES = 6
# Two runs of the same command differ by almost as much.
TOLERANCE_MIB = 8.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, nargs=2, default=[1000, 8000])
    parser.add_argument("--database-url", help="an empty database; SQLite otherwise")
    options = parser.parse_args()
    smaller, larger = (measure_all(size, options.database_url) for size in options.sentences)
    growing = []
    for command, (seconds, peak) in smaller.items():
        more_seconds, more_peak = larger[command]
        streams = not command.startswith(("import_segments", "import_judgements"))
        if streams and more_peak > peak + TOLERANCE_MIB:
            growing.append(command)
        print(
            f"{command:32} {seconds:7.1f} s {peak:6.0f} MiB   "
            f"{more_seconds:7.1f} s {more_peak:6.0f} MiB"
        )
    for command in growing:
        print(f"Memory of {command} grows with the project.")
    return 1 if growing else 0


def measure_all(sentences: int, database_url: str | None) -> dict[str, tuple[float, float]]:
    """Return seconds and peak MiB of every command on a project of this many sentences."""
    print(f"{sentences} sentences", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"SEGRANKS_DATA": str(folder / "data")}
        if database_url:
            environment["DATABASE_URL"] = database_url
        write_files(folder, sentences)
        run(["migrate", "-v0"], environment)
        project = f"{sentences} sentences"
        systems = ["--systems", str(folder / "systems"), "--languages", "en-cs"]
        commands = [
            ["import_segments", project, str(folder / "segments"), *systems],
            ["import_judgements", project, str(folder / "judgements")],
            *(
                ["export_project", project, str(folder / f"out-{name}"), "--format", name]
                for name in FORMATS
            ),
            ["delete_project", project, "--yes"],
            ["import_project", str(folder / "out-archive")],
        ]
        figures = {
            " ".join([command[0], *command[4:][:1]] if "--format" in command else command[:1]): run(
                command, environment
            )
            for command in commands
        }
        run(["delete_project", project, "--yes"], environment)
    return figures


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *command],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with exit status {process.returncode}.")
    # The kernel counts in KiB.
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def write_files(folder: Path, sentences: int) -> None:
    """Write segments, systems and judgements of this many sentences, the same every time."""
    chance = random.Random(sentences)
    with (
        (folder / "segments").open("w", encoding="utf-8") as segments,
        (folder / "systems").open("w", encoding="utf-8") as systems,
        (folder / "judgements").open("w", encoding="utf-8") as judgements,
    ):
        for number in range(1, sentences + 1):
            source = " ".join(words(chance, 25))
            reference = " ".join(words(chance, 25))
            for indices in SEGMENTS:
                place = " ".join(map(str, indices))
                segment = " ".join(source.split(" ")[index] for index in indices)
                candidates = [" ".join(words(chance, 3)) + f" {n}" for n in range(CANDIDATES)]
                for text in candidates:
                    row = (str(number), source, reference, segment, text, place)
                    segments.write("\t".join(row) + "\n")
                for position, system in enumerate(SYSTEMS):
                    text = candidates[position % CANDIDATES]
                    systems.write("\t".join((str(number), segment, system, text, place)) + "\n")
                for line in judged(chance, number, segment, indices, candidates):
                    judgements.write(line + "\n")


def words(chance: random.Random, count: int) -> Iterator[str]:
    return ("".join(chance.choices("aeiouklmnprst", k=6)) for _ in range(count))


def judged(
    chance: random.Random, number: int, segment: str, indices: tuple[int, ...], texts: list[str]
) -> Iterator[str]:
    """Yield two annotators' judgements of a segment."""
    for position, annotator in enumerate(("jana", "petr")):
        created = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=number, hours=position)
        yield json.dumps(
            {
                "sentence": number,
                "segment": segment,
                "indices": indices,
                "annotator": annotator,
                "created": created.isoformat(),
                "seconds": chance.randrange(5, 200),
                "ranks": {text: chance.choice(["garbage", 1, 2, 3]) for text in texts},
            }
        )


if __name__ == "__main__":
    sys.exit(main())

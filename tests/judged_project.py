"""A small project with judgements of two annotators, imported from files."""

import json
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex

from tests.installation import Installation

NAME = "Judged"
SENTENCES = 20
SYSTEMS = ("alfa", "bravo", "charlie", "delta")
WORDS = ("the", "old", "house", "stands", "near", "the", "river")
SEGMENTS = ("0 1 2", "4 5 6")


def add_judged_project(installation: Installation, folder: Path) -> int:
    """Import the project and return its id.

    The systems are ordered from best to worst, with exceptions. The first ten sentences have two
    judgements, which differ in part.
    """
    write_judged_files(folder)
    # An earlier test of the same installation may have made it.
    installation.query(
        f"Project.objects.filter(name={NAME!r}).update(name={f'{NAME} {token_hex(4)}'!r})"
    )
    installation.call(
        *("import_segments", NAME, str(folder / "segments.tsv"), "--languages", "en-cs"),
        *("--systems", str(folder / "systems.tsv")),
    )
    installation.call("import_judgements", NAME, str(folder / "judgements.jsonl"))
    made: int = installation.query(f"Project.objects.get(name={NAME!r}).pk")
    return made


def write_judged_files(folder: Path, systems: Sequence[str] = SYSTEMS) -> None:
    """Write segments.tsv, systems.tsv and judgements.jsonl of four systems."""
    files: dict[str, list[str]] = {"segments.tsv": [], "systems.tsv": [], "judgements.jsonl": []}
    for number in range(1, SENTENCES + 1):
        for place, indices in enumerate(SEGMENTS):
            _add_segment(files, systems, number, place, indices)
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n")


def _add_segment(
    files: dict[str, list[str]], systems: Sequence[str], number: int, place: int, indices: str
) -> None:
    source = " ".join(f"{word}{number}" for word in WORDS)
    words = " ".join(f"{WORDS[int(index)]}{number}" for index in indices.split())
    ranks = {}
    for worse, system in enumerate(systems):
        text = f"{system} {place} {number}"
        files["segments.tsv"].append("\t".join((str(number), source, "", words, text, indices)))
        files["systems.tsv"].append("\t".join((str(number), words, system, text, indices)))
        ranks[text] = 1 + (worse + (number % 5 == worse)) % len(systems)
    judged = {
        "sentence": number,
        "segment": words,
        "indices": [int(index) for index in indices.split()],
        "created": f"2026-01-{number:02} 10:00:00+00",
        "seconds": 20,
    }
    files["judgements.jsonl"].append(json.dumps(judged | {"annotator": "jana", "ranks": ranks}))
    if number <= 10:
        others = {
            text: "garbage" if rank == len(systems) else 1 + (rank + (number % 3 == 0)) % 3
            for text, rank in ranks.items()
        }
        created = f"2026-02-{number:02} 10:00:00+00"
        files["judgements.jsonl"].append(
            json.dumps(judged | {"annotator": "petr", "ranks": others, "created": created})
        )

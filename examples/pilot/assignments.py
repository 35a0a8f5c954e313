"""Who judges which texts in which condition, and when: the balanced plan of the pilot.

    python examples/pilot/assignments.py DOCUMENTS FOLDER [--people 20] [--seed 1]

DOCUMENTS has the name of the document of each line, as `create_project --documents` reads it. The
FOLDER gets

- `assignments.csv`: person, session (1 to 3), condition, set (A to C),
- `documents.csv`: document, set,
- `ranking.csv`, `esa.csv`, `side-by-side.csv` in `assigned/`: annotator, document, as
  `manage.py assign_sentences` reads them.

Documents whose names begin with "practice" are in no set. Equal arguments give equal files.
"""

import argparse
import csv
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

CONDITIONS = ("ranking", "esa", "side-by-side")
SETS = "ABC"


def cells() -> list[list[tuple[str, str]]]:
    """Return the 18 ways to go through the study: what is judged in each of the three sessions.

    Each order of the conditions is there three times, each time with other sets. Three ways in
    succession, the first with the second and third, and so on, are a Latin square: in them, each
    condition is once in each session, each set once in each session, and each set once in each
    condition. So the first n ways differ in these numbers by one at most, for any n.
    """
    found = []
    for turn in range(3):
        for forwards in (True, False):
            for shift in range(3):
                first_set = (2 * shift if forwards else shift) + turn
                found.append(
                    [
                        (
                            CONDITIONS[(place + shift if forwards else shift - place) % 3],
                            SETS[(place + first_set) % 3],
                        )
                        for place in range(3)
                    ]
                )
    return found


def assign_people(people: int, seed: int) -> list[tuple[str, int, str, str]]:
    """Return rows of person, session, condition and set; who gets which way is drawn at random."""
    ways = [cells()[number % 18] for number in range(people)]
    random.Random(f"people {seed}").shuffle(ways)  # noqa: S311
    return [
        (f"p{number:02}", session, condition, name)
        for number, way in enumerate(ways, start=1)
        for session, (condition, name) in enumerate(way, start=1)
    ]


def divide_documents(names: Iterable[str], seed: int) -> dict[str, str]:
    """Return the set of each document: about equally many documents and lines in each.

    The documents are shuffled, sorted by their number of lines, and dealt out in turn, A B C, then
    C B A.
    """
    lines = Counter(name for name in names if name and not name.startswith("practice"))
    documents = sorted(lines)
    random.Random(f"documents {seed}").shuffle(documents)  # noqa: S311
    documents.sort(key=lines.__getitem__, reverse=True)
    turns = SETS + SETS[::-1]
    return dict(sorted((name, turns[place % 6]) for place, name in enumerate(documents)))


def write(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the balanced plan of the pilot.")
    parser.add_argument("documents", type=Path, help="the name of the document of each line")
    parser.add_argument("folder", type=Path, help="where the tables are written")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    names = given.documents.read_text(encoding="utf-8").split("\n")
    of_document = divide_documents([name.strip() for name in names], given.seed)
    plan = assign_people(given.people, given.seed)
    (given.folder / "assigned").mkdir(parents=True, exist_ok=True)
    write(given.folder / "assignments.csv", ("person", "session", "condition", "set"), plan)
    write(given.folder / "documents.csv", ("document", "set"), of_document.items())
    for condition in CONDITIONS:
        rows = [
            (person, document)
            for person, _session, judged, name in plan
            for document, of_set in of_document.items()
            if (judged, name) == (condition, of_set)
        ]
        write(given.folder / "assigned" / f"{condition}.csv", ("annotator", "document"), rows)
    sizes = Counter(of_document.values())
    print(f"{given.people} people; documents in each set: {dict(sorted(sizes.items()))}")


if __name__ == "__main__":
    main()

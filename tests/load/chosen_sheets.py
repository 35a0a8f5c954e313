"""Print what sheets cost whose systems are chosen: `python -m tests.load.chosen_sheets FOLDER`.

FOLDER has texts in the form of WMT23's: `source.txt`, `documents.tsv` and `systems/NAME.txt`. For
each choice of systems, three side by side: seconds of the preparation, rows, and of assigning and
submitting so many sheets the median milliseconds and the queries of an assignment. The last line is
what preparing all groups of three systems would take, by the rows of `complete`.
"""

import argparse
import os
import statistics
import tempfile
import time
from math import comb
from pathlib import Path
from random import Random
from uuid import uuid4

DOCUMENTS = "documents.tsv"


def measure(folder: Path, choice: str, sheets: int) -> tuple[float, int, int]:
    """Print one line; return seconds, rows of candidates, and the number of systems."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from annotation.judging.sheet import cards_of
    from annotation.judging.submission import submit
    from annotation.models import Candidate, Project, Sentence
    from annotation.pipeline.jobs import run_in_foreground, start_in_foreground
    from annotation.projects.creation import create_project
    from annotation.projects.options import PrepareOptions, Texts
    from tests.factories import make_annotator, next_assignment

    with tempfile.TemporaryDirectory() as temporary:
        names = Path(temporary) / "documents"
        lines = (folder / DOCUMENTS).read_text().splitlines()
        names.write_text("".join(f"{line.replace(chr(9), ' ')}\n" for line in lines))
        systems = {path.stem: path for path in sorted((folder / "systems").glob("*.txt"))}
        job = create_project(
            name=choice,
            kind="contrastive_error_spans",
            languages="en-de",
            texts=Texts(source=folder / "source.txt", systems=systems, documents=names),
            intra_rate=0,
            inter_rate=0,
            options=PrepareOptions(sheet_choice=choice, sheets_of_document=4),
        )
        began = time.perf_counter()
        start_in_foreground(job)
        run_in_foreground(job, lambda *_progress: None)
        prepared = time.perf_counter() - began
    project = Project.objects.get(pk=job.project_id)
    candidates = Candidate.objects.filter(segment__sentence__project=project).count()
    rows = Sentence.objects.filter(project=project).count()
    milliseconds, queries = [], []
    rng = Random(0)
    people = [make_annotator(project, f"{choice}{number}") for number in range(10)]
    for number in range(sheets):
        annotator = people[number % len(people)]
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as captured:
            assignment = next_assignment(annotator=annotator, project=project)
        if assignment is None:
            break
        milliseconds.append((time.perf_counter() - began) * 1000)
        queries.append(len(captured))
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices={key: rng.randrange(1, 60) for key in cards_of(assignment.pk)},
        )
    print(
        f"{choice:9} prepared in {prepared:5.1f} s: {rows:,} rows, {candidates:,} candidates; "
        f"assigned in {statistics.median(milliseconds):.0f} ms "
        f"(of the last 20: {statistics.median(milliseconds[-20:]):.0f}), "
        f"{statistics.median(queries):.0f} queries"
    )
    return prepared, rows, len(systems)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sheets", type=int, default=200)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"SEGRANKS_DATA": data, "DJANGO_SETTINGS_MODULE": "segranks.settings"}
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        seconds, rows, systems = measure(options.folder, "complete", options.sheets)
        for choice in ("balanced", "dynamic"):
            measure(options.folder, choice, options.sheets)
        groups = comb(systems, 3) * 3 / systems
        print(f"all groups: about {seconds * groups / 60:.0f} min and {rows * groups:,.0f} rows")


if __name__ == "__main__":
    main()

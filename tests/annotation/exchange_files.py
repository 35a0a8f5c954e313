"""Small files to import, and what a project holds, for the tests of the exchange."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Assignment, Placement, Project, Segment, User

SOURCE = "the old house stands near the old house"
REFERENCE = "starý dům stojí u starého domu"
SEGMENT_ROWS: list[tuple[str, ...]] = [
    ("1", SOURCE, REFERENCE, "the old house", "starý dům", "0 1 2"),
    ("1", SOURCE, REFERENCE, "the old house", "stará  dům", "0 1 2"),
    ("1", SOURCE, REFERENCE, "near", "u", "4"),
    ("7", "a small cat", "", "small cat", "malá kočka", "1 2"),
    ("7", "a small cat", "", "small cat", "malý kočka", "1 2"),
    ("7", "a small cat", "", "small cat", "kočka", "1 2"),
]
SYSTEM_ROWS: list[tuple[str, ...]] = [
    ("1", "the old house", "A", "starý dům", "0 1 2"),
    ("1", "the old house", "B", "stará  dům", "0 1 2"),
    ("1", "near", "B", "u", "4"),
    ("7", "small cat", "A", "malá kočka", "1 2"),
    ("7", "small cat", "B+C", "malá kočka", "1 2"),
]
JUDGEMENT: dict[str, Any] = {
    "sentence": 7,
    "segment": "small cat",
    "indices": [1, 2],
    "annotator": "jana",
    "created": "2014-05-20 07:15:58.43353+00",
    "seconds": 98,
    "ranks": {"malá kočka": 1, "malý kočka": 3, "kočka": "garbage"},
}


def write_rows(path: Path, rows: Iterable[Sequence[str]]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_lines(path: Path, judgements: Iterable[dict[str, Any]]) -> Path:
    lines = (json.dumps(judgement, ensure_ascii=False) + "\n" for judgement in judgements)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def imported_project(
    folder: Path,
    name: str = "house",
    rows: Iterable[Sequence[str]] = SEGMENT_ROWS,
    systems: Iterable[Sequence[str]] | None = SYSTEM_ROWS,
) -> Project:
    """Return the project that `import_segments` makes of the rows."""
    arguments = [name, str(write_rows(folder / "segments.tsv", rows)), "--languages", "en-cs"]
    if systems is not None:
        arguments += ["--systems", str(write_rows(folder / "systems.tsv", systems))]
    call_command("import_segments", *arguments, verbosity=0)
    return Project.objects.get(name=name)


def row_counts() -> dict[str, int]:
    """Return how many rows each table of SegRanks has."""
    return {
        model.__name__: model._default_manager.count()
        for model in apps.get_app_config("annotation").get_models()
    }


def assignment_kinds() -> list[tuple[str, int, str]]:
    """Return annotator, sentence and kind of all assignments, in the order of their ids."""
    return list(
        Assignment.objects.order_by("pk").values_list(
            "annotator__display_name", "sentence__number", "kind"
        )
    )


def export(project: Project, folder: Path, format_name: str) -> bytes:
    """Return what `export_project` writes."""
    path = folder / f"export-{project.pk}.{format_name}"
    call_command("export_project", str(project.pk), str(path), "--format", format_name)
    return path.read_bytes()


def judge(project: Project, segment: Segment, annotator: User) -> None:
    """Store a judgement of the segment, with all candidates on the first rank."""
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=segment.sentence,
        annotator=annotator,
        kind="first",
        state="submitted",
        created=now,
        submitted=now,
    )
    judgement = assignment.judgements.create(segment=segment, created=now, seconds=1.5)
    candidates = list(segment.candidates.all())
    Placement.objects.bulk_create(
        Placement(judgement=judgement, candidate=candidate, rank=1, ranks_offered=len(candidates))
        for candidate in candidates
    )

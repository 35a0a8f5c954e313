"""`manage.py export_project`: what a project holds, as a file."""

import gc
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.import_export.exports import EXPORT_FORMATS, KIND_FORMATS, export_project
from annotation.projects.names import find_project

# New objects after which Python looks for unused cycles, instead of 700: an export has none, and
# the search would take a seventh of its time.
COLLECT_AFTER = 50_000


class Command(SegRanksCommand):
    help = (
        "Write a project to a file: the ranks as in the thesis (json, pickle) or one row each "
        "(csv), the lines that import_judgements reads (judgements), the files that "
        "import_segments reads (segments, systems), the extracted segments (source-segments), "
        "judgements of some kinds as Appraise, Pearmut, WMT and Google have them (esa, pearmut, "
        "da, wmt-forms, wmt-five, mqm), or everything for import_project (archive)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "file", metavar="FILE", help="gzipped where it ends in .gz; - is standard output"
        )
        parser.add_argument("--format", required=True, choices=[*EXPORT_FORMATS, *KIND_FORMATS])

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        to_file = options["file"] != "-"
        with _rare_garbage_collection():
            export_project(
                project=project,
                format_name=options["format"],
                to=Path(options["file"]) if to_file else sys.stdout.buffer,
            )
        if to_file:
            self.stdout.write(
                f"Project {project.pk} {project.name!r} is in {options['file']} "
                f"({options['format']})."
            )


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)

"""`manage.py export_project`: what a project holds, as a file."""

import gc
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.utils.translation import override

from annotation.common.commands import SegRanksCommand
from annotation.import_export.export_formats import (
    EXPORT_FORMATS,
    counts_of,
    export_project,
)
from annotation.projects.names import find_project

# New objects after which Python looks for unused cycles, instead of 700: an export has none, and
# the search would take a seventh of its time.
COLLECT_AFTER = 50_000


class Command(SegRanksCommand):
    help = "Write a project to a file, in one of the formats below; archive is for import_project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "file", metavar="FILE", help="gzipped where it ends in .gz; - is standard output"
        )
        # Of the same words as the page, in English.
        with override(None):
            formats = " ".join(f"{one.name}: {one.explained}" for one in EXPORT_FORMATS.values())
        parser.add_argument("--format", required=True, choices=list(EXPORT_FORMATS), help=formats)
        for option in (option for one in EXPORT_FORMATS.values() for option in one.options):
            flag = f"--{option.name.replace('_', '-')}"
            parser.add_argument(flag, dest=option.name, metavar="X", default="", help=option.help)

    def handle(self, *args: Any, **options: Any) -> None:
        project, name = find_project(options["project"]), options["format"]
        chosen = EXPORT_FORMATS[name].read_options(options)
        to_file = options["file"] != "-"
        with _rare_garbage_collection():
            export_project(
                project=project,
                format_name=name,
                to=Path(options["file"]) if to_file else sys.stdout.buffer,
                **chosen,
            )
        if to_file:
            self.stdout.write(
                f"Project {project.pk} {project.name!r} is in {options['file']} ({name})."
            )
            if counts := counts_of(project, name, **chosen):
                number, left_out = counts
                reasons = "; ".join(f"{reason} {count}" for reason, count in left_out.items())
                self.stdout.write(f"{number} lines. Left out: {reasons or 'nothing'}.")


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)

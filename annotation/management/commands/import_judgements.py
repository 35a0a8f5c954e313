"""`manage.py import_judgements`: judgements from a file, into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.import_export.judgements_import import import_judgements
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = (
        "Store the judgements of a file of JSON lines, of the CSV with scores that export_project "
        "writes, or of the thesis' JSON; the format is detected."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="may be gzipped")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        imported = import_judgements(project=project, path=options["file"])
        self.stdout.write(
            f"Project {project.pk} {project.name!r} has {imported.judgements} more judgements, "
            f"by {imported.annotators} annotators ({imported.format})."
        )
        if imported.controls:
            self.stdout.write(f"Scores of control items that were left out: {imported.controls}.")

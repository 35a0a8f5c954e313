"""`manage.py import_project`: a project from its archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.import_export.archive_import import import_project
from annotation.models import Sentence


class Command(SegRanksCommand):
    help = "Restore a project from an archive of `export_project --format archive`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="may be gzipped")
        parser.add_argument("--name", help="a name that replaces the one in the archive")

    def handle(self, *args: Any, **options: Any) -> None:
        project = import_project(path=options["file"], name=options["name"])
        sentences = project.sentences.filter(purpose=Sentence.Purpose.JUDGE).count()
        self.stdout.write(
            f"Project {project.pk} {project.name!r} is restored: {sentences} sentences, "
            f"{project.assignments.count()} assignments, "
            f"{project.imported_accounts.count()} accounts that cannot sign in."
        )

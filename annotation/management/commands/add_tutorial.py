"""`manage.py add_tutorial PROJECT [FILE]`: let annotators begin with a tutorial."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.plain_text import open_binary
from annotation.formats.tutorial_files import LARGEST_FILE, read_tutorial
from annotation.pipeline import jobs
from annotation.projects.names import find_project
from annotation.projects.tutorials import add_tutorial


class Command(SegRanksCommand):
    help = (
        "Let annotators begin with a tutorial: short texts with errors to find, each explained at "
        "once. It replaces a former one, and practice is required from then on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            metavar="FILE",
            help="the project's own tutorial; without it, that of SegRanks for its languages",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        jobs.refuse_at_work(project)
        own = None
        if path := options["file"]:
            with open_binary(path) as file:
                own = read_tutorial(file.read(LARGEST_FILE + 1), str(path))
        sheets = add_tutorial(project=project, own=own)
        self.stdout.write(
            f"Annotators of project {project.pk} {project.name!r} begin with a tutorial of "
            f"{counted(sheets, 'sheet')}."
        )

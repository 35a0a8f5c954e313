"""`manage.py set_reference PROJECT FILE`: store a reference beside prepared texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.file_roles import REFERENCE
from annotation.management.given_texts import add_encoding, given_texts
from annotation.pipeline import jobs
from annotation.pipeline.system_outputs import set_reference
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Add a reference to a project; its segments and candidates stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="a translation for each line of the source"
        )
        add_encoding(parser)
        parser.add_argument("--tokenized", action="store_true", help="the text is tokenised")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        jobs.refuse_at_work(project)
        with given_texts(options["encoding"], self.stderr.write) as given:
            stored = set_reference(
                project=project,
                path=given.text(options["file"], REFERENCE),
                tokenized=options["tokenized"],
                originals=given.originals,
            )
        self.stdout.write(
            f"{counted(stored.lines, 'sentence')} of project {project.pk} {project.name!r} have "
            f"reference {stored.number} now."
        )

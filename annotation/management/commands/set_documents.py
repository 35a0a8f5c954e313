"""`manage.py set_documents PROJECT FILE`: name the document of each sentence."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.pipeline import jobs
from annotation.projects.documents import set_documents
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Name the document of each sentence of a project, in place of former documents."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="a name for each line of the source"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        if jobs.is_at_work(project):
            raise InputError(
                f"The project {project.name!r} has a job in progress: wait until it is finished."
            )
        sentences, documents = set_documents(project=project, path=options["file"])
        self.stdout.write(
            f"{sentences} sentences of project {project.pk} {project.name!r} are from {documents} "
            "documents now. Refresh its reports."
        )

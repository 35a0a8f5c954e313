"""`manage.py set_documents PROJECT FILE`: name the document of each sentence."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.file_roles import DOCUMENTS
from annotation.management.given_texts import add_encoding, given_texts
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
        add_encoding(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        jobs.refuse_at_work(project)
        with given_texts(options["encoding"], self.stderr.write) as given:
            sentences, documents = set_documents(
                project=project,
                path=given.text(options["file"], DOCUMENTS),
                originals=given.originals,
            )
        self.stdout.write(
            f"{sentences} sentences of project {project.pk} {project.name!r} are from {documents} "
            "documents now. Refresh its reports."
        )

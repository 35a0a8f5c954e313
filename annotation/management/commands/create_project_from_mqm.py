"""`manage.py create_project_from_mqm FILE NAME`: marked errors of MQM as a project."""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.common.commands import counted
from annotation.import_export.judgements_import import import_judgements
from annotation.import_export.mqm_texts import texts_of_mqm
from annotation.kinds import KINDS
from annotation.kinds.units import OneTranslation
from annotation.management.commands.create_project import Command as CreateProject
from annotation.projects.creation import new_project
from annotation.projects.deletion import delete_project
from annotation.projects.names import find_project
from annotation.projects.options import PrepareOptions

# Raters of such a file judged one translation at a time.
[KIND] = [
    name
    for name, kind in KINDS.items()
    if "mqm" in kind.exports and type(kind.unit) is OneTranslation
]


class Command(CreateProject):
    help = (
        "Create a project from a TSV of MQM, which has the texts beside the marked errors, and "
        "import the errors. Each system's translation is judged by itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("file", type=Path, metavar="FILE", help="may be gzipped")
        add("name", help="the project's name, which must be new")
        add("--languages", required=True, help="source-target, as en-cs or en-zh_Hans")
        add("--description", default="", metavar="TEXT")

    def handle(self, *args: Any, **options: Any) -> None:
        with TemporaryDirectory(prefix="segranks-") as folder:
            texts, own = texts_of_mqm(options["file"], Path(folder))
            new = new_project(
                name=options["name"],
                languages=options["languages"],
                kind=KIND,
                scale=own,
                texts=texts,
                description=options["description"],
                intra_rate=0,
                inter_rate=0,
                options=PrepareOptions(each_system=True),
            )
            self._create(new, queue=False)
        project = find_project(options["name"])
        try:
            imported = import_judgements(project=project, path=options["file"])
        except BaseException:
            # Also at Ctrl-C: no project remains without its judgements.
            delete_project(project)
            raise
        self.stdout.write(
            f"  judgements    {imported.judgements} of {counted(imported.annotators, 'annotator')}"
        )

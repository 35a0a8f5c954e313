"""`manage.py delete_project`: delete a project and everything that belongs to it."""

import sys
from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.models import Job, Project, Sentence
from annotation.pipeline import chunks
from annotation.projects.deletion import delete_project
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Delete a project with its texts, judgements and imported accounts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        _refuse_while_prepared(project)
        if not options["yes"]:
            self._ask(project)
        described = f"{project.pk} {project.name!r}"
        delete_project(project)
        self.stdout.write(f"Project {described} is deleted.")

    def _ask(self, project: Project) -> None:
        if not sys.stdin.isatty():
            raise InputError(
                f"The project {project.name!r} is not deleted: add --yes to do it without asking."
            )
        self.stdout.write(
            f"This deletes the project {project.pk} {project.name!r} "
            f"with {_content_summary(project)}. "
            "This cannot be undone; `manage.py export_project` makes an archive."
        )
        try:
            typed = input("Type the project's name to delete it: ")
        except EOFError:
            typed = ""
        if plain_name(typed) != project.name:
            raise InputError("That is not the project's name: nothing is deleted.")


def _refuse_while_prepared(project: Project) -> None:
    job = Job.objects.filter(project=project, state=Job.State.RUNNING).first()
    if job and chunks.has_live_lease(job):
        work = "prepares the project" if job.makes_project else "adds a system to the project"
        raise InputError(f"A worker {work} {project.name!r}: wait until that is done.")


def _content_summary(project: Project) -> str:
    originals = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    sentences, submitted = originals.count(), project.assignments.count()
    return f"{sentences} sentences and {submitted} assignments"

"""`manage.py add_media`: put images, audio and video beside the lines of a project's source."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.errors import InputError
from annotation.formats.media_files import read_media_table
from annotation.management.given_media import add_media_files, add_media_table, media_files
from annotation.projects.media import add_media, opened_files, sizes_of
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Put images, audio and video beside the lines of a project's source."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        add_media_files(parser, "files", nargs="+")
        add_media_table(parser, "--table")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        table = read_media_table(options["table"]) if options["table"] else None
        try:
            rows = add_media(
                project=project, files=opened_files(media_files(options["files"])), table=table
            )
        except OSError as problem:
            place = problem.filename or "the folder of media"
            raise InputError(f"{place}: {problem.strerror or problem}.") from problem
        lines = len({row.line for row in rows})
        self.stdout.write(
            f"{counted(len(rows), 'file')} beside {counted(lines, 'line')} of project {project.pk} "
            f"{project.name!r}."
        )
        if missing := sizes_of(project).missing:
            self.stdout.write(f"{counted(missing, 'file')} of its archive still missing.")

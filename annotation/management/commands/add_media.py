"""`manage.py add_media`: put images, audio and video beside the lines of a project's source."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.errors import InputError
from annotation.formats.media_files import read_media_table
from annotation.projects.media import add_media, sizes_of
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Put images, audio and video beside the lines of a project's source."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("project", help="the project's id or name")
        add(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="files, or folders of them; a name begins with the line: 12.mp4",
        )
        add(
            "--table",
            type=Path,
            metavar="FILE",
            help="the lines of files whose names do not begin with them: on each line the number "
            "of a line of the source, a tab, and the name of a file",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        table = read_media_table(options["table"]) if options["table"] else None
        try:
            rows = add_media(project=project, files=_opened(options["files"]), table=table)
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


def _opened(paths: Iterable[Path]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files with their names, each opened until the next one; of folders, those in it."""
    for path in paths:
        for file in _files_in(path) if path.is_dir() else [path]:
            with file.open("rb") as content:
                yield file.name, content


def _files_in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.is_file() and one.name[0] != ".")

"""`manage.py store_files`: put media that are in another place where the settings keep files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.errors import InputError
from annotation.projects.media import store_files


class Command(SegRanksCommand):
    help = (
        "Put the media of all projects where SEGRANKS_FILES and DATABASE_URL say that files are, "
        "after one of these was changed, or a backup was restored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            metavar="FOLDER",
            nargs="?",
            help="the folder in which files were before; by default, they were in the database",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(options["folder"]) if options["folder"] else None
        if folder and not (folder / "media").is_dir():
            raise InputError(f"{folder} has no folder media: give the former SEGRANKS_FILES.")
        stored = store_files(folder)
        self.stdout.write(f"{counted(stored, 'file')} stored.")

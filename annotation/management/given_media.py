"""The images, audio and video that a command is given: files, folders of them, and their table."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.problems import ErrorList


def add_media_files(parser: ArgumentParser, name: str, **more: Any) -> None:
    parser.add_argument(
        name,
        type=Path,
        metavar="FILE",
        help="images, audio and video, or folders of them; a name begins with the line: 12.mp4",
        **more,
    )


def add_media_table(parser: ArgumentParser, name: str) -> None:
    parser.add_argument(
        name,
        type=Path,
        metavar="FILE",
        help="the lines of media whose names do not begin with them: on each line the number of a "
        "line of the source, a tab, and the name of a file",
    )


def media_files(paths: Iterable[Path]) -> list[tuple[str, Path]]:
    """Return the files with their names; of folders, those in it, but no hidden ones.

    Raises InputError for all that are not there.
    """
    found: list[tuple[str, Path]] = []
    errors = ErrorList()
    for path in paths:
        if path.is_dir():
            inside = (one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
            found += ((one.name, one) for one in sorted(inside))
        elif path.is_file():
            found.append((path.name, path))
        else:
            errors.add(InputError(f"{path}: there is no such file."))
    errors.raise_all()
    return found

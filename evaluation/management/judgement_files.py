"""The options of commands that read judgements from files, without a project."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.formats.errors import InputError
from evaluation.formats.judgement_files import JUDGEMENT_FORMATS, Choice


def add_file_options(parser: CommandParser) -> None:
    """Add the options beside the files themselves, which are `files`."""
    add = parser.add_argument_group("judgements in files").add_argument
    add("--format", choices=JUDGEMENT_FORMATS, help="the format of the files")
    add("--segments", type=Path, metavar="FILE", help="with thesis and lines: the segments")
    add("--systems", type=Path, metavar="FILE", help="with thesis and lines: the systems")
    add("--pair", metavar="SOURCE-TARGET", help="with WMT formats: the language pair")
    add(
        "--without",
        nargs="+",
        action="extend",
        default=[],
        metavar="SYSTEM",
        help="exclude these systems and the candidates that only they produced",
    )


def chosen_files(options: dict[str, Any]) -> Choice | None:
    """Return which files to read and how, or None without files.

    Raises InputError for files without a format, and for the other options without files.
    """
    others = ("format", "segments", "systems", "pair", "without")
    if not options["files"]:
        for name in others:
            if options[name]:
                raise InputError(f"--{name} is for judgements in files: add --from FILE.")
        return None
    if options["format"] is None:
        formats = ", ".join(JUDGEMENT_FORMATS)
        raise InputError(f"The format of the files is missing: add --format with one of {formats}.")
    return Choice(files=options["files"], **{name: options[name] for name in others})

"""The options of commands that read judgements from files, without a project."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from evaluation.formats.file_kinds import READ_BY, kind_of
from evaluation.formats.judgement_files import JUDGEMENT_FORMATS, Choice


def add_file_options(parser: CommandParser) -> None:
    """Add the options beside the files themselves, which are `files`."""
    add = parser.add_argument_group("judgements in files").add_argument
    add(
        "--format",
        choices=JUDGEMENT_FORMATS,
        help="the format of the files; those of WMT are recognised by their content",
    )
    add("--segments", type=Path, metavar="FILE", help="with thesis and lines: the segments")
    add("--systems", type=Path, metavar="FILE", help="with thesis and lines: the systems")
    add("--pair", metavar="SOURCE-TARGET", help="with WMT formats: the language pair")
    add(
        "--without",
        type=plain_name,
        nargs="+",
        action="extend",
        default=[],
        metavar="SYSTEM",
        help="exclude these systems and the candidates that only they produced",
    )


def chosen_files(options: dict[str, Any]) -> Choice | None:
    """Return which files to read and how, or None without files.

    Raises InputError for files whose format is neither given nor recognised, and for the other
    options without files.
    """
    others = ("format", "segments", "systems", "pair", "without")
    if not options["files"]:
        for name in others:
            if options[name]:
                raise InputError(f"--{name} is for judgements in files: add --from FILE.")
        return None
    how = {name: options[name] for name in others}
    how["format"] = options["format"] or _recognised(options["files"])
    return Choice(files=options["files"], **how)


def _recognised(files: Sequence[Path]) -> str:
    """Return the format of all files. Raises InputError unless it is one of WMT's."""
    found: set[str | None] = set()
    for path in files:
        try:
            kind = kind_of(path)
        except InputError:
            if not path.is_file():
                raise
            found.add(None)
            continue
        if kind.ranking_format is None:
            raise InputError(f"the file has {READ_BY[kind.kind]}.", str(path))
        found.add(kind.ranking_format)
    (first, *others) = found
    if first is None or others:
        formats = ", ".join(JUDGEMENT_FORMATS)
        raise InputError(f"The format of the files is missing: add --format with one of {formats}.")
    return first

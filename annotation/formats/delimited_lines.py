"""Lines of files whose columns are separated by tabs or commas, with all problems of a file."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines_or_none

Separator = Literal["\t", ","]

WHOLE: Final = re.compile(r"[0-9]{1,9}")


def split_line(line: str, separator: Separator, where: str) -> list[str]:
    """Return the columns of a line. Raises InputError for a line that is not CSV.

    With commas, a column may be in quotation marks, which are doubled inside, but may not contain
    a line break. With tabs, quotation marks are characters like all others.
    """
    if separator == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], strict=True), [""])
    except csv.Error as problem:
        raise InputError(_("this is not CSV: %(reason)s."), where, reason=str(problem)) from None


def read_rows(
    path: Path, separator: Separator, on_error: OnError
) -> Iterator[tuple[str, list[str]]]:
    """Yield the place (file and line) and the columns of each line that is not blank.

    Calls `on_error` for lines that cannot be read, and leaves them out.
    """
    for number, line in enumerate(read_lines_or_none(path, on_error), start=1):
        if line is None or not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            columns = split_line(line, separator, where)
        except InputError as problem:
            on_error(problem)
        else:
            yield where, columns


def parse_whole(text: str, column: str, where: str) -> int:
    """Return a whole number from 0. Raise InputError, which names the column."""
    if not WHOLE.fullmatch(text):
        raise InputError(
            _("the column %(column)s is %(text)r, which is not a whole number."),
            where,
            column=column,
            text=text[:60],
        )
    return int(text)


def require_name(text: str, column: str, where: str) -> str:
    """Return a plain name. Raise InputError for an empty one."""
    plain = plain_name(text)
    if not plain:
        raise InputError(_("the column %(column)s is empty."), where, column=column)
    return plain


def missing_columns(names: list[str], where: str) -> InputError:
    """Return the error for a heading that lacks columns."""
    return InputError(
        _("the heading lacks the columns %(names)s: add them."), where, names=", ".join(names)
    )


def wrong_width(found: int, wanted: int, names: str, where: str) -> InputError:
    """Return the error for a line with another number of columns."""
    return InputError(
        _("%(found)d columns where %(wanted)d are needed: %(names)s."),
        where,
        found=found,
        wanted=wanted,
        names=names,
    )

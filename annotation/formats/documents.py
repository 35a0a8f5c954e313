"""The documents of sentences: a file with the name of a document for each line of the source."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines_or_none

LONGEST_DOCUMENT_NAME = 200
LONGEST_ITEM_ID = 200

Row = TypeVar("Row")


def check_document(name: str, where: str) -> str:
    """Return the plain name of a document. Raise InputError for one that no document can have."""
    plain = plain_name(name)
    if not plain:
        raise InputError(
            _("the line is empty: each sentence needs the name of its document."), where
        )
    if len(plain) > LONGEST_DOCUMENT_NAME or not plain.isprintable():
        raise InputError(
            _(
                "the name of the document %(name)r cannot be used: give 1 to %(most)d printable "
                "characters."
            ),
            where,
            name=name[:60],
            most=LONGEST_DOCUMENT_NAME,
        )
    return plain


def domain_of(document: str) -> str:
    """Return the domain of a document by its name: what stands before its own name or number.

    "news" of "news 12", "news_aj-english.3", "news_###_3" and "en-cs_CZ_#_news_#_name".
    """
    parts = [part.strip("_ ") for part in re.split(r"#+", document)]
    if len(parts) > 1:
        return parts[-2]
    found = re.match(r"[^\W\d_]+", document)
    return found.group() if found else ""


def pair_with_documents(
    path: Path, rows: Iterable[tuple[int, Row]], on_error: OnError = raise_error
) -> Iterator[tuple[int, Row, str]]:
    """Yield numbered rows, in ascending order, each with the name in the line of this number.

    Other lines are only read. Calls `on_error`, with file and line, for a name that cannot be used,
    and once if the file ends too early; the name is "" then.
    """
    lines = enumerate(read_lines_or_none(path, on_error), start=1)
    last, has_ended = 0, False
    for number, row in rows:
        name = ""
        for last, line in lines:
            if last == number:
                name = _name(line, f"{path}, line {number}", on_error)
                break
        else:
            if not has_ended:
                on_error(
                    InputError(
                        _(
                            "the file has %(lines)d lines, but there is a sentence %(sentence)d: "
                            "give a line for each line of the source."
                        ),
                        str(path),
                        lines=last,
                        sentence=number,
                    )
                )
            has_ended = True
        yield number, row, name


def _name(line: str | None, where: str, on_error: OnError) -> str:
    """Return the name of a document, "" if it cannot be used or the line is not readable."""
    if line is None:
        return ""
    try:
        return check_document(line, where)
    except InputError as problem:
        on_error(problem)
        return ""

"""Columns, sentence ids and token indices of tab-separated files."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.tokens import TokenizedText

SENTENCE_ID = re.compile(r"[1-9][0-9]{0,9}")
INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
# The largest number of an integer column in the database.
LARGEST_ID = 2**31 - 1


def read_columns(
    path: Path, names: Sequence[str], on_error: OnError = raise_error
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number, from 1, and the columns of each line.

    Calls `on_error` for a line that has another number of columns, and leaves it out.
    """
    for number, line in enumerate(read_lines_or_none(path, on_error), start=1):
        if line is None:
            continue
        columns = line.split("\t")
        if len(columns) == len(names):
            yield number, columns
        else:
            on_error(
                InputError(
                    _(
                        "%(found)d columns where %(wanted)d are needed, separated by tabs: "
                        "%(names)s."
                    ),
                    f"{path}, line {number}",
                    found=len(columns),
                    wanted=len(names),
                    names=", ".join(names),
                )
            )


def parse_sentence_id(text: str, where: str) -> int:
    """Return the positive number of a sentence. Raise InputError."""
    if not SENTENCE_ID.fullmatch(text) or int(text) > LARGEST_ID:
        raise InputError(
            _("the sentence id %(text)r is not a whole number from 1 to %(most)d."),
            where,
            text=text,
            most=LARGEST_ID,
        )
    return int(text)


def parse_indices(text: str, where: str) -> tuple[int, ...]:
    """Return ascending 0-based token positions that are separated by a space. Raise InputError."""
    parts = text.split(" ")
    if not all(INDEX.fullmatch(part) for part in parts):
        raise InputError(
            _(
                "the token indices %(text)r are not whole numbers from 0, separated by single "
                "spaces."
            ),
            where,
            text=text[:80],
        )
    indices = tuple(map(int, parts))
    check_ascending(indices, where)
    return indices


def check_ascending(indices: Sequence[int], where: str) -> None:
    """Raise InputError unless each index is greater than the one before it."""
    for before, after in pairwise(indices):
        if after == before:
            raise InputError(_("the token index %(index)d is given twice."), where, index=after)
        if after < before:
            raise InputError(
                _("the token indices are not sorted: %(index)d follows %(before)d."),
                where,
                index=after,
                before=before,
            )


def check_inside(tokens: TokenizedText, indices: Sequence[int], where: str) -> None:
    """Raise InputError for a segment with an index beyond the sentence."""
    if not tokens:
        raise InputError(_("the sentence is empty, so it has no segments."), where)
    if indices[-1] >= len(tokens):
        raise InputError(
            _(
                "the token index %(index)d is beyond the sentence, whose %(tokens)d tokens have "
                "the indices 0 to %(last)d."
            ),
            where,
            index=indices[-1],
            tokens=len(tokens),
            last=len(tokens) - 1,
        )


def join_columns(columns: Sequence[str]) -> str:
    """Return one line of a tab-separated file.

    Raises InputError for a text with a tab or a line break, which such a file cannot contain.
    """
    for column in columns:
        if "\t" in column or "\n" in column:
            raise InputError(
                _(
                    "The text %(text)r contains a tab or a line break, which a tab-separated "
                    "file cannot: export as archive, csv or json."
                ),
                text=column[:60],
            )
    return "\t".join(columns) + "\n"

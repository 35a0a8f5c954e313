"""Errors that raters marked by Multidimensional Quality Metrics (MQM): one error a line.

Columns are separated by tabs: system, doc, doc_id, seg_id, rater, source, target, category,
severity, comment, in any order. A marked piece of the source or the target is between <v> and </v>;
one that is not closed goes on to the end. A segment without errors has one line, with the category
and the severity No-error. Later files call doc_id docSegId, and seg_id globalSegId.
Source: Freitag et al. (2021), "Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation", and the files that they published.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from annotation.formats.delimited_lines import (
    missing_columns,
    read_rows,
    require_name,
    wrong_width,
)
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MarkedError, Place
from annotation.formats.names import Spellings, plain_name
from annotation.formats.plain_text import open_binary
from annotation.formats.span_notation import SOURCE, TARGET, WHOLE, Span
from annotation.formats.tab_separated import join_columns

NEEDED: Final = ("system", "seg_id", "rater", "target", "category", "severity")
# Names in later files, in small letters as all names are compared.
OTHER_NAMES: Final[Mapping[str, str]] = {"globalsegid": "seg_id", "docsegid": "doc_id"}
SEVERITIES: Final = ("neutral", "minor", "major", "critical")
NO_ERROR: Final = ("", "no-error", "no error")
# A line that says whether a rater found an error that was inserted to control raters.
CONTROL: Final = "hotw-test"
MARK: Final = re.compile(r"</?v>")


@dataclass(frozen=True, slots=True)
class Rating:
    """One line: an error that a rater marked, or that there is none (`error` is None).

    `segment` is the number or name of the segment in the file, `document_segment` that in its
    document, "" if the file does not have it. `source` and `target` have no marks. `broken_marks`
    says that <v> and </v> do not alternate, so that the places of the error are unknown.
    """

    where: str
    system: str
    document: str
    document_segment: str
    segment: str
    rater: str
    source: str
    target: str
    error: MarkedError | None
    comment: str
    broken_marks: bool = False


def recognised(line: str) -> bool:
    """Tell whether a line is the heading of such a file, whether or not it is complete."""
    return {"system", "rater", "category", "severity"} <= set(_names(line.split("\t")))


def is_mqm(path: Path) -> bool:
    """Tell whether a file has the heading of MQM. Raise InputError if it is unreadable."""
    with open_binary(path) as file:
        return recognised(file.readline(1 << 16).decode(errors="replace"))


def read_mqm(
    path: Path, *, controls: list[str] | None = None, on_error: OnError = raise_error
) -> Iterator[Rating]:
    """Yield the ratings of a file, without the lines that control raters.

    Adds the places of the lines left out to `controls`. Calls `on_error`, with file and line, for
    each line that cannot be used, and leaves it out.
    """
    names: list[str] = []
    systems, documents = Spellings(), Spellings()
    for where, columns in read_rows(path, "\t", on_error):
        if not names:
            names = _names(columns)
            missing = [name for name in NEEDED if name not in names]
            if missing:
                on_error(missing_columns(missing, where))
                return
            continue
        try:
            if len(columns) != len(names):
                raise wrong_width(len(columns), len(names), " ".join(names), where)
            rating = _rating(where, dict(zip(names, columns, strict=True)), systems, documents)
        except InputError as problem:
            on_error(problem)
        else:
            if rating is not None:
                yield rating
            elif controls is not None:
                controls.append(where)


def _names(columns: Sequence[str]) -> list[str]:
    names = [name.strip().lower() for name in columns]
    return [OTHER_NAMES.get(name, name) for name in names]


def _rating(
    where: str, row: Mapping[str, str], systems: Spellings, documents: Spellings
) -> Rating | None:
    severity = row["severity"].strip().lower()
    category = row["category"].strip()
    if CONTROL in (severity, category.lower()):
        return None
    if severity not in (*NO_ERROR, *SEVERITIES):
        raise InputError(
            _("the severity %(severity)r is unknown; known are %(known)s."),
            where,
            severity=row["severity"][:40],
            known=", ".join(("no-error", *SEVERITIES)),
        )
    target, places, target_is_broken = _without_marks(row["target"])
    source, source_places, source_is_broken = _without_marks(row.get("source", ""))
    error = MarkedError(severity, category, places, source_places)
    return Rating(
        where=where,
        system=systems.system(row["system"], where),
        document=documents.plain(row.get("doc", ""), where),
        document_segment=plain_name(row.get("doc_id", "")),
        segment=require_name(row["seg_id"], "seg_id", where),
        rater=require_name(row["rater"], "rater", where),
        source=source,
        target=target,
        error=None if severity in NO_ERROR else error,
        comment=row.get("comment", ""),
        broken_marks=target_is_broken or source_is_broken,
    )


def _without_marks(text: str) -> tuple[str, tuple[Place, ...], bool]:
    """Return the text, the places that were marked, and whether the marks are broken."""
    marks = MARK.findall(text)
    pieces = MARK.split(text)
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece))
    plain = "".join(pieces)
    if marks == ["<v>"] and pieces[1]:
        # What is not closed goes on to the end.
        return plain, ((starts[1], starts[2]),), False
    if marks != ["<v>", "</v>"] * (len(marks) // 2):
        return plain, (), True
    return plain, tuple(place for place in list(pairwise(starts))[1::2]), False


HEADING: Final = (
    "system",
    "doc",
    "doc_id",
    "seg_id",
    "rater",
    "source",
    "target",
    "category",
    "severity",
    "comment",
)
# What a line says instead of a category and a severity.
NONE_FOUND: Final = "No-error"


@dataclass(frozen=True, slots=True)
class RatedTranslation:
    """What a rater marked in a system's translation of a segment, which may be nothing.

    `document_segment` is the number of the segment in its document.
    """

    system: str
    document: str
    document_segment: int
    segment: int
    rater: str
    source: str
    target: str
    spans: Sequence[Span]
    comment: str = ""


def mqm_lines(rated: RatedTranslation) -> Iterator[str]:
    """Yield a line for each error, or one that says that there is none; all with their ends.

    An error of the whole translation marks all of it, and one that is missing marks nothing. A
    comment with a line for each error is divided among them, another one is with the last. Raises
    InputError for texts with tabs.
    """
    head = (rated.system, rated.document, rated.document_segment, rated.segment, rated.rater)
    rows = [
        (
            _marked(rated.source, span if span.side == SOURCE else None),
            _marked(rated.target, span if span.side in (TARGET, WHOLE) else None),
            span.category,
            span.severity.capitalize(),
        )
        for span in rated.spans
    ] or [(rated.source, rated.target, NONE_FOUND, NONE_FOUND)]
    comments = rated.comment.split("\n")
    if len(comments) != len(rows):
        comments = [*[""] * (len(rows) - 1), " ".join(rated.comment.split())]
    for row, comment in zip(rows, comments, strict=True):
        yield join_columns([*map(str, head), *row, comment])


def _marked(text: str, span: Span | None) -> str:
    if span is None:
        return text
    start, end = span.start or 0, len(text) if span.end is None else span.end
    return f"{text[:start]}<v>{text[start:end]}</v>{text[end:]}"

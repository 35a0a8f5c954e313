"""Errors that raters marked by Multidimensional Quality Metrics (MQM): one error a line.

Columns are separated by tabs: system, doc, doc_id, seg_id, rater, source, target, category,
severity, comment, in any order. A marked piece of the source or the target is between <v> and </v>.
A segment without errors has one line, with the category and the severity No-error. Later files
call doc_id docSegId, and seg_id globalSegId.
Source: Freitag et al. (2021), "Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation", and the files that they published.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from evaluation.formats.metric_scores import IN_DOCUMENT
from evaluation.stats.error_spans import ErrorPoints, ErrorWeights, score_errors

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
    if marks != ["<v>", "</v>"] * (len(marks) // 2):
        return plain, (), True
    return plain, tuple(place for place in list(pairwise(starts))[1::2]), False


def score_ratings(ratings: Iterable[Rating], weights: ErrorWeights) -> ErrorPoints:
    """Return the error points of segments and systems.

    Segments have the names of the file, or "DOCUMENT::SEGMENT" if two documents have a segment of
    the same name."""
    rows = list(ratings)
    documents: dict[str, str] = {}
    doubled = any(documents.setdefault(row.segment, row.document) != row.document for row in rows)
    return score_errors(
        systems=[row.system for row in rows],
        segments=[
            f"{row.document}{IN_DOCUMENT}{row.segment}" if doubled else row.segment for row in rows
        ],
        raters=[row.rater for row in rows],
        points=[
            0.0 if row.error is None else weights.of(row.error.category, row.error.severity)
            for row in rows
        ],
        weights=weights,
    )

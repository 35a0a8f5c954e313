"""Scores of translations as the CSV of Appraise, with or without marked errors, without a heading.

The columns are those of `shared_task_files.assessment_rows` and `error_span_files.appraise_rows`.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from annotation.formats.appraise import AFTER_DOCUMENT, COPY, document_of
from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import annotator_name
from annotation.formats.names import plain_name
from annotation.formats.plain_text import open_binary, read_lines_or_none
from annotation.formats.shared_task_files import (
    DEGRADED,
    REFERENCE,
    REPEAT,
    TRANSLATION,
)
from annotation.formats.span_notation import MISSING, SEVERITIES, Span, code_units

WITHOUT_ERRORS: Final = 11
WITH_ERRORS: Final = 12
CONTROLS: Final = (DEGRADED, REFERENCE)
# Bytes that are read to recognise a file.
BEGINNING: Final = 1 << 16
# An apostrophe that `csv_escaping.without_formulas` has added.
# An error without a severity, which the annotator did not finish.
UNDECIDED: Final = "undecided"
_ESCAPED = re.compile(r"(?:^|(?<=[;\t\r\n]))'(?=['\"]*[=+\-@＝＋－＠])")


@dataclass(frozen=True, slots=True)
class AssessmentLine:
    """The score of a system's translation of item `item`; `where` names file and line.

    `spans` are marked errors, None where the file has no column for them; their places are those in
    JavaScript, with the last character as the end. `seconds` is None where they were not recorded.
    A control item is a degraded translation or a reference. `is_document` says that the score is
    one of the document as a whole.

    `sheet` is the document as the file has it, which may be with its system and copy: see
    `numbers_lines`. `unfinished` counts marked errors without a severity, which are not among the
    spans.
    """

    where: str
    line: int
    annotator: str
    system: str
    item: int
    is_control: bool
    score: int
    spans: tuple[Span, ...] | None
    ended: datetime
    seconds: float | None
    document: str = ""
    is_document: bool = False
    sheet: str = ""
    unfinished: int = 0


def numbers_lines(rows: Iterable[AssessmentLine]) -> bool:
    """Tell whether the items of a file are lines of the source, as in our exports.

    Appraise itself numbers the items of each annotator, so that only their order says which
    paragraph of a document one is; there, systems stand behind the names of documents.
    """
    return not any(AFTER_DOCUMENT in row.sheet for row in rows)


def is_assessment_csv(path: Path) -> bool:
    """Return whether the first line has the columns of Appraise. Raise InputError if unreadable."""
    with open_binary(path) as file:
        first = file.readline(BEGINNING).decode(errors="replace")
    return _is_row(next(csv.reader([first]), []))


def _is_row(row: list[str]) -> bool:
    return len(row) in (WITHOUT_ERRORS, WITH_ERRORS) and not row[0].startswith("{")


def read_assessment_lines(path: Path, on_error: OnError) -> Iterator[AssessmentLine]:
    """Yield the scores of a file. Calls `on_error`, with the line, for each line that is wrong."""
    for number, text in enumerate(read_lines_or_none(path, on_error), start=1):
        if text is None:
            continue
        where = f"{path}, line {number}"
        try:
            yield _parse(next(csv.reader([text], strict=True), []), number, where)
        except csv.Error as problem:
            on_error(InputError(f"this is not a line of CSV: {problem}.", where))
        except InputError as problem:
            on_error(problem.at(where))


def _parse(row: list[str], number: int, where: str) -> AssessmentLine:
    if not _is_row(row):
        raise InputError(f"there are {len(row)} columns, not {WITHOUT_ERRORS} or {WITH_ERRORS}.")
    annotator, system, item, type_, _source, _target, score, document, whole, *rest = row
    *errors, started, ended = rest
    if not plain_name(system):
        raise InputError("the system has no name.")
    if type_ not in (TRANSLATION, REPEAT, *CONTROLS):
        raise InputError(
            f"the type is {type_!r}: give {TRANSLATION}, {REPEAT}, {DEGRADED} or {REFERENCE}."
        )
    begun, done = _number(started, "start"), _number(ended, "end")
    if done < begun:
        raise InputError("the end is before the start.")
    try:
        time = datetime.fromtimestamp(done, UTC)
    except (OverflowError, ValueError, OSError):
        raise InputError("the end is not a time in seconds since 1970.") from None
    sheet = plain_name(_ESCAPED.sub("", document))
    name, system = _document_and_system(sheet, plain_name(_ESCAPED.sub("", system)))
    errors_marked = list(_spans(errors[0])) if errors else []
    finished = tuple(span for span in errors_marked if span.severity != UNDECIDED)
    return AssessmentLine(
        where=where,
        line=number,
        annotator=annotator_name(_ESCAPED.sub("", annotator)),
        system=system,
        item=_whole(item, "number of the segment"),
        is_control=type_ in CONTROLS,
        score=_whole(score, "score"),
        spans=finished if errors else None,
        ended=time,
        # A start at the end says that the time was not recorded.
        seconds=round(done - begun, 3) or None,
        document=name,
        is_document=whole.strip().lower() not in ("false", "0", ""),
        sheet=sheet,
        unfinished=len(errors_marked) - len(finished),
    )


def _document_and_system(sheet: str, system: str) -> tuple[str, str]:
    """Return the names of the document and of the system, as it is written behind it if it is."""
    document = document_of(sheet, system)
    behind = sheet.removeprefix(document).split(AFTER_DOCUMENT)
    return document, next((one for one in behind if one and not COPY.fullmatch(one)), system)


def _whole(text: str, name: str) -> int:
    number = _number(text, name)
    if not number.is_integer() or not 0 <= number < 1 << 31:
        raise InputError(f"the {name}, {text!r}, is not a whole number from 0.")
    return int(number)


def _number(text: str, name: str) -> float:
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})?", text):
        raise InputError(f"the {name}, {text[:40]!r}, is not a number from 0.")
    return float(text)


def _spans(text: str) -> Iterator[Span]:
    try:
        found = json.loads(text)
        for one in found:
            start, end = one["start_i"], one["end_i"]
            if one["severity"] not in (*SEVERITIES, UNDECIDED):
                raise ValueError
            if MISSING in (start, end):
                yield Span(None, None, one["severity"], MISSING)
            elif type(start) is int and type(end) is int:
                yield Span(start, end, one["severity"])
            else:
                raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(
            "the marked errors are not a JSON list of objects with start_i, end_i and a "
            "severity, minor or major."
        ) from None


def in_characters(span: Span, text: str) -> Span:
    """Return the span with places in `text` as Python counts them. Raise ValueError outside it."""
    if span.start is None or span.end is None:
        return span
    units = code_units(text)
    return Span(units.index(span.start), units.index(span.end + 1), span.severity)

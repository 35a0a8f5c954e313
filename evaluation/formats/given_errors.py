"""Errors that a program or other people marked in systems' translations, to give to annotators.

Three formats, which are recognised: a campaign of Pearmut with `error_spans` (`pearmut`), the TSV
of MQM (`mqm`), and the JSON of an automatic metric, lines or a list of objects such as

    {"system": "A", "line": 1, "error_spans": [{"start": 0, "end": 5, "severity": "minor"}]}

with an object for each translation, its line in the source from 1, and an empty list where the
metric found nothing. Places are those that Python slices count; `category` is known too, and `text`
of a span, if it is there, must be the text at its place. Other keys, such as the confidence of
xCOMET, are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.json import Decoder

from annotation.formats import pearmut, strict_json
from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MarkedError
from annotation.formats.mqm_lines import Rating, read_mqm, recognised
from annotation.formats.names import Spellings
from annotation.formats.plain_text import open_binary, read_lines_or_none


@dataclass(frozen=True, slots=True)
class MarkedText:
    """What was marked in a system's translation, by `marker`, "" where the file names none.

    Of some formats `line` is the number of the line in the source, from 1, and the texts are None;
    of others `line` is None. `quoted` are texts that must stand at the places of errors, by their
    number. `unplaced` counts errors that were left out because their places are unknown.
    """

    where: str
    system: str
    errors: tuple[MarkedError, ...]
    line: int | None = None
    source: str | None = None
    text: str | None = None
    marker: str = ""
    quoted: tuple[str, ...] = ()
    unplaced: int = 0


class _Span(Struct):
    start: Annotated[int, Meta(ge=0)]
    end: Annotated[int, Meta(ge=1)]
    severity: str
    category: str = ""
    text: str = ""


class _Marked(Struct):
    system: str
    line: Annotated[int, Meta(ge=1)]
    error_spans: list[_Span]


_one: Final = Decoder(_Marked)
_all: Final = Decoder(list[_Marked])
_UNKNOWN: Final = _(
    "this is neither a campaign of Pearmut, nor the TSV of MQM, nor JSON with “system”, “line” and "
    "“error_spans” of each translation."
)


def read_given_errors(path: Path, *, on_error: OnError) -> Iterator[MarkedText]:
    """Yield what was marked in translations. Calls `on_error`, with the place, for what is wrong.

    Raises InputError for a file of no known format.
    """
    with open_binary(path) as file:
        first = file.read(1000).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not first.startswith((b"{", b"[")):
        lines = read_lines_or_none(path, lambda _problem: None)
        if not recognised(next((line for line in lines if line and line.strip()), "")):
            raise InputError(_UNKNOWN, str(path))
        return _of_mqm(path, on_error)
    text = pearmut.read_json(path)
    if pearmut.kind_of_json(text) == "campaign":
        return _of_campaigns(path, on_error)
    return _of_metric(path, text, on_error)


def _of_metric(path: Path, text: bytes, on_error: OnError) -> Iterator[MarkedText]:
    located: Iterator[tuple[str, _Marked]]
    if text.lstrip().startswith(b"["):
        found = strict_json.decode(text, _all, str(path))
        located = ((f"{path}, object {number}", one) for number, one in enumerate(found, start=1))
    else:
        located = _json_lines(path, on_error)
    systems = Spellings()
    for where, one in located:
        try:
            system = systems.system(one.system, where)
        except InputError as problem:
            on_error(problem)
            continue
        yield MarkedText(
            where,
            system,
            tuple(
                MarkedError(span.severity.strip().lower(), span.category, ((span.start, span.end),))
                for span in one.error_spans
            ),
            line=one.line,
            quoted=tuple(span.text for span in one.error_spans),
        )


def _json_lines(path: Path, on_error: OnError) -> Iterator[tuple[str, _Marked]]:
    for number, line in enumerate(read_lines_or_none(path, on_error), start=1):
        if line and line.strip():
            where = f"{path}, line {number}"
            try:
                yield where, strict_json.decode(line.encode(), _one, where)
            except InputError as problem:
                on_error(problem)


def _of_campaigns(path: Path, on_error: OnError) -> Iterator[MarkedText]:
    for campaign in pearmut.read_campaigns(path, on_error=on_error):
        for task in campaign.tasks:
            for number, document in enumerate(task):
                for place, item in enumerate(document):
                    if not isinstance(item, pearmut.Item) or item.checks:
                        continue
                    for system, errors in item.marked.items():
                        where = f"{path}, document {number}, item {place}"
                        text = item.outputs[system]
                        yield MarkedText(where, system, errors, source=item.source, text=text)


def _of_mqm(path: Path, on_error: OnError) -> Iterator[MarkedText]:
    """Yield the errors of each rater, where the file has the rater's first one of the text."""
    ratings: dict[tuple[str, ...], list[Rating]] = {}
    for one in read_mqm(path, on_error=on_error):
        key = one.system, one.document, one.segment, one.source, one.target, one.rater
        ratings.setdefault(key, []).append(one)
    for of_text in ratings.values():
        first = of_text[0]
        marked = [one for one in of_text if one.error]
        yield MarkedText(
            first.where,
            first.system,
            tuple(one.error for one in marked if one.error and not one.broken_marks),
            source=first.source,
            text=first.target,
            marker=first.rater,
            unplaced=sum(one.broken_marks for one in marked),
        )

"""Error Span Annotation (ESA): a score from 0 to 100 and marked errors of each translation.

CSV as Appraise exports it, mostly without a heading: user, system, segment, type, source language,
target language, score, document, whether it is the whole document, error spans, start, end.
The spans are JSON, such as [{"start_i": 8, "end_i": 11, "severity": "minor", "error_type": null}],
or have "missing" for both places. The number of the batch and that of the item may follow.
Direct assessment with SQM has the same columns without the spans (see `assessments`).
Source: Kocmi et al. (2024), "Error Span Annotation: A Balanced Approach for Human Evaluation of
Machine Translation", and the files of WMT24.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder
from numpy.typing import NDArray

from annotation.formats import strict_json
from annotation.formats.appraise import BATCH_COLUMNS, Place, document_of, segments_in_documents
from annotation.formats.csv_escaping import with_formulas
from annotation.formats.delimited_lines import (
    parse_whole,
    read_rows,
    require_name,
    split_line,
    wrong_width,
)
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.languages import pair_name
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.names import Spellings
from annotation.formats.several_files import once
from evaluation.formats.metric_scores import IN_DOCUMENT
from evaluation.formats.metrics_eval_folder import NO_DOMAIN
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import Floats

COLUMNS: Final = (
    *("user", "system", "segment", "type", "source", "target", "score"),
    *("document", "is_document", "error_spans", "start", "end"),
)
TYPE: Final = COLUMNS.index("type")
WIDTHS: Final = (len(COLUMNS), len(COLUMNS) + len(BATCH_COLUMNS))
WIDTHS_WITHOUT_SPANS: Final = (9, 11, 13)
# What is judged: a translation, a degraded one, a reference, a repeated one.
TYPES: Final = ("TGT", "BAD", "REF", "CHK")
TRANSLATION: Final = "TGT"
TRUTHS: Final[Mapping[str, bool]] = {"True": True, "False": False}
BEST_SCORE: Final = 100

# What WMT24 leaves out, in the order in which it is looked for.
CONTROL: Final = "control"
TUTORIAL: Final = "tutorial"
INCOMPLETE: Final = "#incomplete"
DUPLICATE: Final = "#dup"
WHOLE_DOCUMENT: Final = "whole document"
EARLIER_ANSWER: Final = "earlier answer"
SAME_ANSWER: Final = "same answer again"
# The domain in the names of WMT24's documents.
DOMAIN: Final = re.compile(r"test-[a-z]{2,3}-(?P<domain>[a-z]+)_")


@dataclass(frozen=True, slots=True)
class SpanScore:
    """One line: the score that a user gave to a translation, and the errors that the user marked.

    `score` is from 0 to 100; `started` and `ended` are seconds since 1970. The places of errors
    count the characters of the translation, which is not in the file, as the browser counts them.
    `left` errors had been marked before, and the user left them at their places: Appraise writes
    `error_type` of those alone that the user has marked.
    """

    where: str
    user: str
    system: str
    segment: int
    type: str
    source_language: str
    target_language: str
    score: float
    document: str
    whole_document: bool
    errors: tuple[MarkedError, ...]
    started: float
    ended: float
    left: int = 0

    @property
    def pair(self) -> str:
        """The pair of languages, such as "eng-jpn"."""
        return pair_name(self.source_language, self.target_language)


_Position = Annotated[int, Meta(ge=0)] | Literal["missing"]


class _Span(Struct):
    """A span as it is written; `end_i` is the position of its last character."""

    start_i: _Position
    end_i: _Position
    severity: str | None = None
    error_type: str | list[str] | UnsetType | None = UNSET


_spans = Decoder(list[_Span])
SEVERITIES: Final = ("minor", "major", "neutral", "critical")
# What Appraise writes for a span whose severity the user did not choose.
NO_SEVERITY: Final = (None, "", "undecided")


def recognised(line: str) -> bool:
    """Tell whether a line is one of such a file, right or wrong in its details."""
    columns = _columns(line)
    return len(columns) in WIDTHS and (_is_heading(columns) or columns[TYPE] in TYPES)


def recognised_without_spans(line: str) -> bool:
    """Tell whether a line is one of Appraise's direct assessments, with or without documents."""
    columns = _columns(line)
    return len(columns) in WIDTHS_WITHOUT_SPANS and (_is_heading(columns) or columns[TYPE] in TYPES)


def _is_heading(columns: Sequence[str]) -> bool:
    return columns[TYPE].lower().removeprefix("item") == "type"


def _columns(line: str) -> list[str]:
    try:
        return split_line(line, ",", "")
    except InputError:
        return []


def read_span_scores(path: Path, *, on_error: OnError = raise_error) -> Iterator[SpanScore]:
    """Yield the judgements of a file, in its order.

    Calls `on_error`, with file and line, for each line that cannot be used, and leaves it out.
    """
    systems, documents = Spellings(), Spellings()
    for where, columns in read_rows(path, ",", on_error):
        if where.endswith(", line 1") and len(columns) > TYPE and _is_heading(columns):
            continue
        try:
            judgement = _span_score(where, columns, systems, documents)
        except InputError as problem:
            on_error(problem)
        else:
            yield judgement


def _span_score(
    where: str, columns: list[str], systems: Spellings, documents: Spellings
) -> SpanScore:
    if len(columns) not in WIDTHS:
        raise wrong_width(len(columns), len(COLUMNS), ", ".join(COLUMNS), where)
    user, system, segment, kind, source, target, score, document, whole, spans, start, end = (
        columns[: len(COLUMNS)]
    )
    user, system, document = map(with_formulas, (user, system, document))
    system = systems.system(system, where)
    if kind not in TYPES:
        raise InputError(
            _("the type %(text)r is none of %(types)s."),
            where,
            text=kind[:60],
            types=", ".join(TYPES),
        )
    if whole not in TRUTHS:
        raise InputError(
            _("the column is_document is %(text)r: it must be True or False."),
            where,
            text=whole[:60],
        )
    given = _number(score, "score", where)
    if given > BEST_SCORE:
        raise InputError(
            _("the score %(score)s is not from %(least)d to %(greatest)d."),
            where,
            score=score[:60],
            least=0,
            greatest=BEST_SCORE,
        )
    marked = strict_json.decode(spans.encode(), _spans, where)
    return SpanScore(
        where=where,
        user=require_name(user, "user", where),
        system=system,
        segment=parse_whole(segment, "segment", where),
        type=kind,
        source_language=require_name(source, "source", where),
        target_language=require_name(target, "target", where),
        score=given,
        document=require_name(documents.plain(document.strip(), where), "document", where),
        whole_document=TRUTHS[whole],
        errors=tuple(_error(span, where) for span in marked),
        started=_number(start, "start", where),
        ended=_number(end, "end", where),
        left=sum(span.error_type is UNSET for span in marked),
    )


def _number(text: str, column: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise InputError(
            _("the column %(column)s is %(text)r, which is not a number from 0."),
            where,
            column=column,
            text=text[:60],
        )
    return number


def _error(span: _Span, where: str) -> MarkedError:
    kind = span.error_type or ""
    category = "/".join(kind) if isinstance(kind, list) else kind
    severity = "" if span.severity in NO_SEVERITY else span.severity or ""
    if severity and severity not in SEVERITIES:
        raise InputError(
            _("the severity %(severity)r is unknown; known are %(known)s."),
            where,
            severity=severity[:40],
            known=", ".join((*SEVERITIES, "undecided")),
        )
    if isinstance(span.start_i, int) and isinstance(span.end_i, int):
        if span.end_i < span.start_i:
            raise InputError(
                _("the error span ends at %(end)d, before its start at %(start)d."),
                where,
                start=span.start_i,
                end=span.end_i,
            )
        return MarkedError(severity, category, ((span.start_i, span.end_i + 1),))
    if span.start_i != span.end_i:
        raise InputError(
            _("the error span has a place at one end and “missing” at the other."), where
        )
    return MarkedError(severity, category, token=MISSING)


# --- what counts, as WMT24 chose it ---


@dataclass(frozen=True)
class Counted:
    """The judgements that count, in the order of the file, and how many do not, by the reason."""

    judgements: tuple[SpanScore, ...]
    left_out: Counter[str]


def counted(judgements: Iterable[SpanScore]) -> Counted:
    """Return the judgements that count by the rules of WMT24.

    Left out are degraded texts and others for control, tutorials, documents marked "#incomplete" or
    "#dup", which only fill a task, whole documents, and all but the last answer of a user for a
    translation.
    """
    left_out: Counter[str] = Counter()
    counting: list[SpanScore] = []
    for one in judgements:
        reason = _reason_to_leave_out(one)
        if reason:
            left_out[reason] += 1
        else:
            counting.append(one)
    answers = once(counting, lambda one: (*_item(one), one.ended))
    left_out[SAME_ANSWER] = len(counting) - len(answers)
    last: dict[tuple[str | int, ...], SpanScore] = {}
    for one in answers:
        before = last.get(_item(one))
        if before is not None:
            left_out[EARLIER_ANSWER] += 1
        if before is None or one.ended >= before.ended:
            last[_item(one)] = one
    return Counted(tuple(last.values()), +left_out)


def _item(one: SpanScore) -> tuple[str | int, ...]:
    return one.user, one.pair, one.system, one.document, one.segment


def _reason_to_leave_out(one: SpanScore) -> str:
    if one.type != TRANSLATION:
        return CONTROL
    if TUTORIAL in one.system:
        return TUTORIAL
    for mark in (INCOMPLETE, DUPLICATE):
        if mark in one.document:
            return mark
    return WHOLE_DOCUMENT if one.whole_document else ""


@dataclass(frozen=True, eq=False)
class SegmentMeans:
    """Mean scores over users, of S systems and I segments of one language pair.

    `scores` and `counts` (judgements) are S × I, scores NaN where there is none. A segment is
    called "DOCUMENT::NUMBER"; `domains_of` I are codes of `domains`.
    """

    pair: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    domains: tuple[str, ...]
    scores: Floats
    counts: NDArray[np.int64]
    domains_of: NDArray[np.intp]


def segment_means(
    judgements: Iterable[SpanScore], domains: Mapping[str, str] | None = None
) -> dict[str, SegmentMeans]:
    """Return the mean scores of segments by language pair, in their natural order.

    `domains` are by document; without them, the domain is that in the name of a document of WMT24
    ("test-en-news_…"), or "all". The system and the copy in the name of a document do not count.
    """
    given = list(judgements)
    by_pair: dict[str, list[_Judged]] = {}
    for one, (document, segment) in zip(given, documents_and_segments(given), strict=True):
        by_pair.setdefault(one.pair, []).append(_Judged(one.system, document, segment, one.score))
    return {pair: _means(pair, rows, domains) for pair, rows in sorted(by_pair.items())}


def documents_and_segments(judgements: Sequence[SpanScore]) -> list[tuple[str, str]]:
    """Return the document of each judgement, and its segment as `SegmentMeans` has it."""
    places = [
        Place((one.pair, document), one.user, (one.system, one.document), one.segment)
        for one in judgements
        for document in [document_of(one.document, one.system)]
    ]
    numbers = segments_in_documents(places)
    documents = [place.document[1] for place in places]
    return [
        (document, f"{document}{IN_DOCUMENT}{number}")
        for document, number in zip(documents, numbers, strict=True)
    ]


class _Judged(NamedTuple):
    system: str
    document: str
    segment: str
    score: float


def _means(pair: str, rows: list[_Judged], domains: Mapping[str, str] | None) -> SegmentMeans:
    systems = _sorted(row.system for row in rows)
    segments = {row.segment: row.document for row in rows}
    segment_names = _sorted(segments)
    of_document = {document: _domain(document, domains) for document in segments.values()}
    domain_names = _sorted(of_document.values())
    system_codes = {name: code for code, name in enumerate(systems)}
    segment_codes = {name: code for code, name in enumerate(segment_names)}
    size = len(systems), len(segment_names)
    totals, counts = np.zeros(size), np.zeros(size, dtype=np.int64)
    for row in rows:
        cell = system_codes[row.system], segment_codes[row.segment]
        totals[cell] += row.score
        counts[cell] += 1
    scores = np.full(size, np.nan)
    np.divide(totals, counts, out=scores, where=counts > 0)
    return SegmentMeans(
        pair=pair,
        systems=systems,
        segments=segment_names,
        domains=domain_names,
        scores=scores,
        counts=counts,
        domains_of=np.array(
            [domain_names.index(of_document[segments[name]]) for name in segment_names],
            dtype=np.intp,
        ),
    )


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(names), key=natural_key))


def _domain(document: str, domains: Mapping[str, str] | None) -> str:
    if domains is not None:
        return domains.get(document, NO_DOMAIN)
    match = DOMAIN.match(document)
    return match["domain"] if match else NO_DOMAIN

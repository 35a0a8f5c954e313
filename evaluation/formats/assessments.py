"""Single direct assessments from files: those that WMT publishes, and exports of Appraise.

WMT's files have a heading, `HITId WorkerId Input.src Input.trg … sys_id … type sid score time`, and
either raw scores or standardised ones; `time` are the seconds of the whole batch (HIT). Appraise's
have none; their columns, separated by commas, are user, system, segment, type, source language,
target language, score, then document and whether it is the score of the document (DA+SQM only),
start and end in seconds, and, if asked for, the batch and the item. Without these, an account of
Appraise is one batch.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from annotation.formats.appraise import BATCH_COLUMNS, document_of
from annotation.formats.csv_escaping import with_formulas
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.languages import pair_name
from annotation.formats.names import Spellings, plain_name
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.several_files import once, without_held
from evaluation.formats.metric_scores import rows_of
from evaluation.formats.score_layouts import ASSESSMENTS, Recognised, recognise_heading
from evaluation.formats.score_tables import Names
from evaluation.stats.assessment.items import (
    GREATEST_SCORE,
    LEAST_SCORE,
    Assessments,
    ItemType,
)
from evaluation.stats.judgements import natural_key

WMT_TYPES: Final = {
    "SYSTEM": ItemType.OUTPUT,
    "REPEAT": ItemType.REPEAT,
    "REF": ItemType.REFERENCE,
    "BAD_REF": ItemType.DEGRADED,
}
APPRAISE_TYPES: Final = {
    "TGT": ItemType.OUTPUT,
    "CHK": ItemType.REPEAT,
    "REF": ItemType.REFERENCE,
    "BAD": ItemType.DEGRADED,
}
SEGMENT_COLUMNS: Final = (
    *("user", "system", "segment", "type", "source", "target", "score"),
    *("start", "end"),
)
DOCUMENT_COLUMNS: Final = (*SEGMENT_COLUMNS[:7], "document", "is_document", *SEGMENT_COLUMNS[7:])
IS_DOCUMENT: Final = DOCUMENT_COLUMNS.index("is_document")
TYPE: Final = SEGMENT_COLUMNS.index("type")
WIDTHS: Final = tuple(
    sorted({len(one) + more for one in (SEGMENT_COLUMNS, DOCUMENT_COLUMNS) for more in (0, 2)})
)
TRUTHS: Final = ("True", "False")
# What WMT writes for an unknown time or batch.
UNKNOWN: Final = ("NA", "None", "")
IN_DOCUMENT: Final = "::"
# No standardised score is farther from 0, and few raw ones are nearer.
MOST_STANDARDISED: Final = 20.0


@dataclass(frozen=True, eq=False)
class AssessmentFiles:
    """The assessments of some files, and what was left out of them.

    `document_scores` rows are scores of whole documents, `revised` rows were answered again later
    by the same user of Appraise, and `repeated` rows are given more than once, in one file or in
    several.
    """

    assessments: Assessments
    files: tuple[str, ...]
    document_scores: int
    revised: int
    repeated: int


class _Row(NamedTuple):
    """One row; `batch` and `began` (seconds, NaN if unknown) give the order of assessments."""

    where: str
    pair: str
    annotator: str
    batch: str
    system: str
    segment: str
    type: ItemType
    score: float
    seconds: float
    began: float
    ended: float
    batch_seconds: float


@dataclass
class _Found:
    """Rows of WMT's files and of Appraise's, by file, and counts of those left out."""

    of_wmt: list[list[_Row]] = field(default_factory=list)
    of_appraise: list[list[_Row]] = field(default_factory=list)
    document_scores: int = 0


def read_assessments(paths: Sequence[Path], on_error: OnError = raise_error) -> AssessmentFiles:
    """Read files of both kinds, of any number of language pairs, into one table.

    What is given more than once counts once: an answer of Appraise with the same times, one of WMT
    in the same HIT with the same score, and a file of WMT all of whose rows another file has, too.
    Calls `on_error`, with file and line, for every row
    that cannot be used or contradicts another file, for a file of another kind, and for raw scores
    beside standardised ones; if it returns, such rows are left out.
    """
    found = _Found()
    kinds: dict[bool, Path] = {}
    for path in paths:
        first = next((line for line in islice(read_lines_or_none(path, on_error), 1)), None)
        if first is None:
            continue
        recognised = recognise_heading(first)
        if recognised is not None and recognised.layout is ASSESSMENTS:
            rows = list(_rows_of_wmt(path, recognised, on_error))
            into, standardised = found.of_wmt, _are_standardised(rows)
        elif len(_fields(first)) in WIDTHS:
            rows = list(_rows_of_appraise(path, found, on_error))
            into, standardised = found.of_appraise, False
        else:
            on_error(
                InputError(
                    _(
                        "the file has no assessments: give one with the heading of WMT (HITId "
                        "WorkerId … score) or an export of Appraise with 9 or 11 columns "
                        "separated by commas, or two more with the batch."
                    ),
                    f"{path}, line 1",
                )
            )
            continue
        if not standardised:
            rows = [row for row in rows if _has_raw_score(row, on_error)]
        if rows:
            kinds.setdefault(standardised, path)
        if len(kinds) > 1:
            on_error(
                InputError(
                    _("the scores are standardised, but those of %(other)s are raw: give one kind.")
                    if standardised
                    else _(
                        "the scores are raw, but those of %(other)s are standardised: give one "
                        "kind."
                    ),
                    str(path),
                    other=str(kinds[not standardised]),
                )
            )
            del kinds[standardised]
            continue
        into.append(rows)
    given = sum(map(len, found.of_wmt + found.of_appraise))
    of_wmt = once(chain.from_iterable(without_held(found.of_wmt, _content)), _of_hit)
    of_appraise = once(
        chain.from_iterable(found.of_appraise),
        lambda row: (*_item(row), row.began, row.ended),
        lambda row, first: _compare(row, first, on_error),
    )
    latest = _latest(of_appraise)
    return AssessmentFiles(
        _assembled(of_wmt + _with_originals(latest), standardised=True in kinds),
        tuple(map(str, paths)),
        document_scores=found.document_scores,
        revised=len(of_appraise) - len(latest),
        repeated=given - len(of_wmt) - len(of_appraise),
    )


def _rows_of_wmt(path: Path, recognised: Recognised, on_error: OnError) -> Iterator[_Row]:
    places = {name: place for place, name in enumerate(recognised.columns)}
    names = ("Input.src", "Input.trg", "WorkerId", "HITId", "sys_id", "sid", "type", "score")
    wanted = [places[name] for name in names]
    time = places.get("time")
    systems = Spellings()
    for number, fields in rows_of(path, recognised, on_error):
        checks = _Checks(f"{path}, line {number}", on_error)
        source, target, worker, hit, system, segment, kind, score = (fields[n] for n in wanted)
        seconds = np.nan
        if time is not None and fields[time] not in UNKNOWN:
            # WMT writes 0 where no time was taken.
            seconds = checks.number(fields[time], "time") or np.nan
        row = _Row(
            where=checks.where,
            pair=pair_name(checks.name(source, "Input.src"), checks.name(target, "Input.trg")),
            annotator=checks.name(worker, "WorkerId"),
            batch=plain_name(hit),
            system=checks.spelt(system, "sys_id", systems),
            segment=checks.name(segment, "sid"),
            type=checks.type(kind, WMT_TYPES),
            score=checks.number(score, "score"),
            seconds=np.nan,
            began=np.nan,
            ended=np.nan,
            batch_seconds=checks.positive(seconds, "time"),
        )
        if checks.passed:
            yield row


def _rows_of_appraise(path: Path, found: _Found, on_error: OnError) -> Iterator[_Row]:
    columns: tuple[str, ...] = ()
    systems, documents = Spellings(), Spellings()
    for number, line in enumerate(read_lines_or_none(path, on_error), start=1):
        fields = _fields(line or "")
        if not any(fields):
            continue
        if not columns:
            if len(fields) > TYPE and fields[TYPE].lower().removeprefix("item") == "type":
                continue
            columns = _columns(fields)
        checks = _Checks(f"{path}, line {number}", on_error)
        if len(fields) != len(columns):
            problem = InputError(
                _("%(found)d columns where %(wanted)d are needed: %(names)s."),
                checks.where,
                found=len(fields),
                wanted=len(columns),
                names=",".join(columns),
            )
            on_error(problem)
            continue
        row = dict(zip(columns, map(with_formulas, fields), strict=True))
        segment = checks.name(row["segment"], "segment")
        if "document" in row:
            document = document_of(row["document"].strip(), row["system"].strip())
            document = checks.spelt(document, "document", documents)
            segment = f"{document}{IN_DOCUMENT}{segment}"
        began, ended = checks.number(row["start"], "start"), checks.number(row["end"], "end")
        made = _Row(
            where=checks.where,
            pair=pair_name(
                checks.name(row["source"], "source"), checks.name(row["target"], "target")
            ),
            annotator=checks.name(row["user"], "user"),
            batch=plain_name(row.get("batch", row["user"])),
            system=checks.spelt(row["system"], "system", systems),
            segment=segment,
            type=checks.type(row["type"], APPRAISE_TYPES),
            score=checks.number(row["score"], "score"),
            seconds=checks.positive(ended - began, "end - start"),
            began=began,
            ended=ended,
            batch_seconds=np.nan,
        )
        if row.get("is_document", "False") not in TRUTHS:
            checks.refuse(
                _("the column is_document is %(text)r: it must be True or False."),
                text=row["is_document"][:60],
            )
        if checks.passed and row.get("is_document") == "True":
            found.document_scores += 1
        elif checks.passed:
            yield made


def _columns(fields: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of an export of Appraise by its first line without a heading."""
    columns = SEGMENT_COLUMNS if len(fields) == len(SEGMENT_COLUMNS) else DOCUMENT_COLUMNS
    if len(fields) == len(DOCUMENT_COLUMNS) and _is_number(fields[IS_DOCUMENT]):
        # The end of an assessment without a document, and its batch behind it.
        columns = SEGMENT_COLUMNS
    return columns if len(fields) <= len(columns) else (*columns, *BATCH_COLUMNS)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass
class _Checks:
    """Checks the fields of a row, and reports each that is wrong."""

    where: str
    on_error: OnError
    passed: bool = True

    def refuse(self, template: str, **values: str | int) -> None:
        self.passed = False
        self.on_error(InputError(template, self.where, **values))

    def name(self, text: str, column: str) -> str:
        name = plain_name(text)
        if not name:
            self.refuse(_("the column %(column)s is empty."), column=column)
        return name

    def spelt(self, text: str, column: str, spellings: Spellings) -> str:
        try:
            spellings.plain(text, self.where)
        except InputError as problem:
            self.passed = False
            self.on_error(problem)
        return self.name(text, column)

    def number(self, text: str, column: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            self.refuse(
                _("the column %(column)s is %(text)r, which is not a number."),
                column=column,
                text=text[:60],
            )
        return value

    def positive(self, seconds: float, column: str) -> float:
        if seconds < 0:
            self.refuse(
                _("%(column)s is %(seconds)s seconds: a time cannot be negative."),
                column=column,
                seconds=f"{seconds:g}",
            )
        return seconds

    def type(self, text: str, types: dict[str, ItemType]) -> ItemType:
        if text not in types:
            self.refuse(
                _("the type %(text)r is none of %(types)s."), text=text[:60], types=", ".join(types)
            )
        return types.get(text, ItemType.OUTPUT)


def _fields(line: str) -> list[str]:
    return next(csv.reader([line]), [])


def _are_standardised(rows: Sequence[_Row]) -> bool:
    scores = [row.score for row in rows]
    return bool(scores) and min(scores) < 0 and max(map(abs, scores)) <= MOST_STANDARDISED


def _has_raw_score(row: _Row, on_error: OnError) -> bool:
    if LEAST_SCORE <= row.score <= GREATEST_SCORE:
        return True
    on_error(
        InputError(
            _("the score %(score)s is not from %(least)d to %(greatest)d."),
            row.where,
            score=f"{row.score:g}",
            least=int(LEAST_SCORE),
            greatest=int(GREATEST_SCORE),
        )
    )
    return False


def _content(row: _Row) -> tuple[Any, ...]:
    item = row.pair, row.system, row.segment, row.type
    return *item, row.annotator, row.batch, row.score, str(row.batch_seconds)


def _of_hit(row: _Row) -> tuple[Any, ...] | None:
    return None if row.batch in UNKNOWN else _content(row)


def _compare(row: _Row, first: _Row, on_error: OnError) -> None:
    """Report an answer that has another score where it is given first."""
    if row.score != first.score:
        on_error(
            InputError(
                _(
                    "%(other)s has another score of the same answer: correct one of them, or leave "
                    "it out."
                ),
                row.where,
                other=first.where,
            )
        )


def _item(row: _Row) -> tuple[str, ...]:
    return row.annotator, row.pair, row.system, row.segment, row.type.name


def _latest(rows: Sequence[_Row]) -> list[_Row]:
    """Return the last answer of each user to each item."""
    last: dict[tuple[str, ...], _Row] = {}
    for row in rows:
        key = _item(row)
        if key not in last or row.ended >= last[key].ended:
            last[key] = row
    return list(last.values())


def _with_originals(rows: Sequence[_Row]) -> list[_Row]:
    """Return the rows in which degraded items have the segments of their originals.

    Some exports number the items of a batch, so that a degraded copy of a document has numbers of
    its own. Where it has as many items as the document itself, they follow in the same order.
    """
    blocks: dict[tuple[str, ...], dict[str, int]] = {}
    for place, row in enumerate(rows):
        document = row.segment.rpartition(IN_DOCUMENT)[0]
        block = (row.annotator, row.pair, row.system, document, row.type.name)
        blocks.setdefault(block, {})[row.segment] = place
    found = list(rows)
    for key, items in blocks.items():
        if not key[3] or key[-1] != ItemType.DEGRADED.name:
            continue
        originals = blocks.get((*key[:-1], ItemType.OUTPUT.name), {})
        if len(items) != len(originals) or not originals.keys().isdisjoint(items):
            continue
        pairs = zip(*(sorted(one, key=natural_key) for one in (items, originals)), strict=True)
        for item, original in pairs:
            found[items[item]] = rows[items[item]]._replace(segment=original)
    return found


def _assembled(rows: Sequence[_Row], *, standardised: bool) -> Assessments:
    names = [Names() for _column in range(4)]
    pairs, annotators, systems, segments = names
    batches: dict[tuple[str, str, str], int] = {}
    codes = np.array(
        [
            (
                pairs[row.pair],
                annotators[row.annotator],
                systems[row.system],
                segments[row.segment],
                batches.setdefault((row.pair, row.annotator, row.batch), len(batches)),
            )
            for row in rows
        ],
        dtype=np.int32,
    ).reshape(-1, 5)
    times = np.array([(row.began, row.ended, row.batch_seconds) for row in rows]).reshape(-1, 3)
    began, ended, of_batch = times.T
    of = codes[:, 4]
    first, last, given = (np.full(len(batches), np.nan) for _column in range(3))
    np.fmin.at(first, of, began)
    np.fmax.at(last, of, ended)
    np.fmax.at(given, of, of_batch)
    # Places in order of time; without times, in that of the file.
    order = np.empty(len(rows), dtype=np.int32)
    order[np.lexsort((np.arange(len(rows)), began, of))] = np.arange(len(rows))
    return Assessments(
        language_pairs=tuple(pairs),
        annotator_names=tuple(annotators),
        system_names=tuple(systems),
        segment_names=tuple(segments),
        batch_names=tuple(batch for _pair, _annotator, batch in batches),
        pairs=codes[:, 0],
        annotators=codes[:, 1],
        systems=codes[:, 2],
        segments=codes[:, 3],
        batches=of,
        types=np.array([row.type for row in rows], dtype=np.int8),
        scores=np.array([row.score for row in rows], dtype=np.float64),
        seconds=np.array([row.seconds for row in rows], dtype=np.float64),
        order=order,
        batch_seconds=np.fmax(given, last - first),
        standardised=standardised,
    )

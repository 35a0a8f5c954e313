"""Scores of systems that files give: arrays, and what is missing, doubled or unknown in them.

A score that a file lacks is NaN, never 0, and findings say how many there are and name some.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Final, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.names import Spellings, plain_name
from evaluation.formats.system_names import SystemNames
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import Floats

Level = Literal["sys", "domain", "doc", "seg"]
LEVELS: Final[tuple[Level, ...]] = ("sys", "domain", "doc", "seg")

# Examples that a finding names at most.
EXAMPLES: Final = 5
# Of a table, in which each metric has a place for each system and item: ten times the largest of
# WMT. A few lines that name different metrics, systems and segments would fill the memory.
MOST_CELLS: Final = 50_000_000

DOUBLED: Final = "doubled"
CONTRADICTING: Final = "contradicting"
MISSING: Final = "missing"
NOT_A_NUMBER: Final = "not-a-number"
UNKNOWN_SYSTEM: Final = "unknown-system"
UNKNOWN_SEGMENT: Final = "unknown-segment"
TURNED: Final = "turned"

SENTENCES: Final[Mapping[str, str]] = {
    DOUBLED: _(
        "%(metric)s: scores that are given more than once (the first counts): %(count)d, such as "
        "%(examples)s."
    ),
    CONTRADICTING: _(
        "%(metric)s: scores that are given again with another value (the first counts): "
        "%(count)d, such as %(examples)s."
    ),
    MISSING: _("%(metric)s: scores that are missing: %(count)d, such as %(examples)s."),
    NOT_A_NUMBER: _(
        "%(metric)s: scores that are not finite numbers and count as missing: %(count)d, such as "
        "%(examples)s."
    ),
    UNKNOWN_SYSTEM: _(
        "%(metric)s: systems that are unknown here, whose scores are left out: %(count)d, such as "
        "%(examples)s."
    ),
    UNKNOWN_SEGMENT: _(
        "%(metric)s: segments that are unknown here, whose scores are left out: %(count)d, such "
        "as %(examples)s."
    ),
    TURNED: _(
        "%(metric)s: the file counts errors, so its scores are turned to make higher ones better: "
        "%(count)d, such as %(examples)s."
    ),
}


@dataclass(frozen=True)
class Finding:
    """What is wrong with some scores of a metric: how many, and the first of them by name.

    `kind` is a key of SENTENCES, `where` the file and line of the first one, if it has a line.
    """

    kind: str
    metric: str
    count: int
    examples: tuple[str, ...]
    where: str = ""

    @property
    def problem(self) -> InputError:
        """One sentence, as an error that can be shown or raised."""
        return InputError(
            SENTENCES[self.kind],
            self.where,
            metric=self.metric,
            count=self.count,
            examples="; ".join(self.examples),
        )


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of one language pair and test set by one or more metrics, or by people.

    `scores` is M metrics × S systems, or M × S × I items (`level`: domains, documents, segments),
    NaN where there is none; `items` are their names, a segment of a WMT20 file is
    "DOCUMENT::NUMBER". `documents` has a name for each item, or is empty. `reference` names what
    metrics compared with, "" if the file does not say, "src" for metrics without a reference.
    `counts` S [× I] is the number of judgements behind people's scores, None for metrics.
    `layouts` and `files` say how the scores were read, `metric_files` has the files of each metric,
    and `findings` say what is wrong with them. `negated` metrics have the negatives of the scores
    in the files, which were better when lower.
    """

    pair: str
    test_set: str
    level: Level
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    items: tuple[str, ...]
    scores: Floats
    layouts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    reference: str = ""
    domain: str = ""
    documents: tuple[str, ...] = ()
    counts: NDArray[np.int64] | None = None
    findings: tuple[Finding, ...] = ()
    metric_files: tuple[tuple[str, ...], ...] = ()
    negated: tuple[str, ...] = ()

    @property
    def missing(self) -> dict[str, int]:
        """The number of scores that each metric lacks; 0 for a metric that may be compared."""
        absent = np.isnan(self.scores).reshape(len(self.metrics), -1).sum(axis=1)
        return {name: int(count) for name, count in zip(self.metrics, absent, strict=True)}

    def with_negated(self, metrics: Collection[str]) -> "ScoreTable":
        """Return the table with negative scores of those of the metrics that it has."""
        names = tuple(name for name in self.metrics if name in metrics)
        scores = self.scores.copy()
        for name in names:
            place = self.metrics.index(name)
            scores[place] = 0.0 - scores[place]
        return replace(self, scores=scores, negated=names)

    def of(self, metric: str) -> Floats:
        """Return the scores of one metric: S, or S × I. Raises KeyError for an unknown one."""
        try:
            return np.asarray(self.scores[self.metrics.index(metric)])
        except ValueError:
            raise KeyError(metric) from None

    def aligned(
        self,
        systems: Sequence[str],
        items: Sequence[str] | None = None,
        names: SystemNames | None = None,
    ) -> "ScoreTable":
        """Return the scores in the order of these systems and items, such as a project's.

        `names` maps the file's names to these, None for a system to leave out; other names stay.
        Scores of unknown systems and items are left out, those that are lacking are NaN; the
        findings name both. Of two systems of the file with one name the first counts.
        """
        wanted = self.items if items is None or self.level == "sys" else tuple(items)
        given = names or {}
        codes: dict[str, int] = {}
        unknown: list[str] = []
        doubled: list[str] = []
        for code, name in enumerate(self.systems):
            ours = given.get(name, name)
            if ours is None:
                continue
            if ours not in systems:
                unknown.append(name)
            elif ours in codes:
                doubled.append(name)
            else:
                codes[ours] = code
        findings = [one for one in self.findings if one.kind != MISSING]
        all_metrics = ", ".join(self.metrics)
        for kind, found in ((UNKNOWN_SYSTEM, unknown), (DOUBLED, doubled)):
            findings += _named(kind, all_metrics, found)
        of_items = {name: code for code, name in enumerate(self.items)}
        findings += _named(
            UNKNOWN_SEGMENT, all_metrics, sorted(of_items.keys() - set(wanted), key=natural_key)
        )
        rows = np.array([codes.get(name, -1) for name in systems], dtype=np.intp)
        columns = np.array([of_items.get(name, -1) for name in wanted], dtype=np.intp)
        scores = _picked(self.scores, rows, 1, np.nan)
        counts = None if self.counts is None else _picked(self.counts, rows, 0, 0)
        documents = self.documents
        if self.level != "sys":
            scores = _picked(scores, columns, 2, np.nan)
            counts = None if counts is None else _picked(counts, columns, 1, 0)
            known = dict(zip(self.items, self.documents, strict=False))
            documents = tuple(known.get(name, "") for name in wanted)
        findings += missing_scores(self.metrics, tuple(systems), wanted, np.isnan(scores))
        return replace(
            self,
            systems=tuple(systems),
            items=wanted,
            scores=scores,
            counts=counts,
            documents=documents if any(documents) else (),
            findings=tuple(findings),
        )


Scalar = TypeVar("Scalar", np.float64, np.int64)


def _picked(
    values: NDArray[Scalar], codes: NDArray[np.intp], axis: int, default: float
) -> NDArray[Scalar]:
    """Return the elements of these codes along an axis, `default` for the code -1."""
    picked = np.take(values, np.maximum(codes, 0), axis)
    np.moveaxis(picked, axis, 0)[codes < 0] = default
    return picked


def _named(kind: str, metric: str, names: Collection[str]) -> list[Finding]:
    return [Finding(kind, metric, len(names), tuple(names)[:EXAMPLES])] if names else []


def _cell(systems: Sequence[str], items: Sequence[str], place: int) -> str:
    """Return the name of a score by its place in the flattened array of a metric."""
    if not items:
        return systems[place]
    return f"{systems[place // len(items)]} {items[place % len(items)]}"


def missing_scores(
    metrics: Sequence[str], systems: Sequence[str], items: Sequence[str], absent: NDArray[np.bool_]
) -> Iterator[Finding]:
    """Yield a finding for each metric that lacks scores."""
    for metric, of_metric in zip(metrics, absent.reshape(len(metrics), -1), strict=True):
        places = np.flatnonzero(of_metric)
        if len(places):
            examples = tuple(_cell(systems, items, int(place)) for place in places[:EXAMPLES])
            yield Finding(MISSING, metric, len(places), examples)


# --- from rows of files ---


class TableKey(NamedTuple):
    """What the scores of one table have in common."""

    pair: str
    test_set: str
    level: Level
    reference: str = ""
    domain: str = ""


class Names(dict[str, int]):
    """Numbers names from 0 in the order in which they are first looked up."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


@dataclass
class TableRows:
    """The rows of one table, in the order of the files."""

    metrics: Names = field(default_factory=Names)
    systems: Names = field(default_factory=Names)
    items: Names = field(default_factory=Names)
    documents: dict[str, str] = field(default_factory=dict)
    # Codes of metric, system, item, file, and the line: five for each row. Arrays, because the
    # segments of all metrics of a year are millions of rows.
    rows: "array[int]" = field(default_factory=lambda: array("i"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    counts: "array[int]" = field(default_factory=lambda: array("q"))
    # Rows whose score is written as NaN or infinite.
    not_numbers: set[int] = field(default_factory=set)
    layouts: Names = field(default_factory=Names)


class TableBuilder:
    """Collects rows of score files by language pair, test set, level and reference.

    `on_error` is called for each row that cannot be used.
    """

    def __init__(self, on_error: OnError = raise_error) -> None:
        self.on_error = on_error
        self._tables: dict[TableKey, TableRows] = {}
        self._files = Names()
        self._file = 0
        self._layout = ""
        self._spellings = Spellings()
        # Plain names of the file's systems by their spellings.
        self._systems: dict[str, str] = {}

    def start(self, file: str, layout: str) -> None:
        """Name the file that the next rows come from."""
        self._file = self._files[file]
        self._layout = layout
        self._spellings = Spellings()
        self._systems = {}

    def add(
        self,
        key: TableKey,
        metric: str,
        system: str,
        score: str,
        line: int,
        *,
        item: str = "",
        document: str = "",
        count: str = "",
    ) -> None:
        """Add one score as it is written, unless it or the count is no number.

        Names are compared in their plain form; a system of a file has one spelling.
        """
        if system not in self._systems:
            try:
                self._systems[system] = self._spellings.plain(system, self._where(line))
            except InputError as problem:
                self.on_error(problem)
                return
        if count and not count.isdecimal():
            template = _("the number of judgements %(text)r is not a whole number.")
            self.on_error(InputError(template, self._where(line), text=count[:60]))
            return
        written_as_number = True
        try:
            number = float(score)
        except ValueError:
            if score not in NO_SCORE:
                template = _("the score %(score)r is not a number; write None for a missing score.")
                self.on_error(InputError(template, self._where(line), score=score[:60]))
                return
            number, written_as_number = np.nan, False
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = TableRows()
        table.layouts[self._layout]
        # Most names are plain and known, and there are millions of rows.
        metric = metric if metric in table.metrics else plain_name(metric)
        item = item if item in table.items else plain_name(item)
        if written_as_number and not -np.inf < number < np.inf:
            number = np.nan
            table.not_numbers.add(len(table.scores))
        if item not in table.items and document:
            table.documents[item] = plain_name(document)
        table.rows.extend(
            (
                table.metrics[metric],
                table.systems[self._systems[system]],
                table.items[item],
                self._file,
                line,
            )
        )
        table.scores.append(number)
        table.counts.append(int(count) if count else 0)

    def _where(self, line: int) -> str:
        return f"{list(self._files)[self._file]}, line {line}"

    def tables(self) -> list[ScoreTable]:
        """Return a table for each pair, test set, level, reference and domain, in file order.

        Raises InputError for one that would have more than MOST_CELLS.
        """
        files = list(self._files)
        return [_table(key, rows, files) for key, rows in self._tables.items()]


# How files write that there is no score.
NO_SCORE: Final = frozenset({"None", "NA", "N/A", "-"})


def _table(key: TableKey, rows: TableRows, files: Sequence[str]) -> ScoreTable:
    """Lay out the rows: of several scores of one cell, the first counts."""
    metrics, systems = tuple(rows.metrics), tuple(rows.systems)
    items, codes = ((), np.zeros(1, dtype=np.intp)) if key.level == "sys" else _order(rows.items)
    table = np.frombuffer(rows.rows, dtype=np.intc).reshape(-1, 5)
    shape = (len(metrics), len(systems), max(len(items), 1))
    if prod(shape) > MOST_CELLS:
        raise InputError(
            _(
                "Scores of %(metrics)d metrics, %(systems)d systems and %(items)d segments are too "
                "many for one table: see that each column of the files has what it should."
            ),
            ", ".join(files[file] for file in np.unique(table[:, 3])),
            metrics=shape[0],
            systems=shape[1],
            items=shape[2],
        )
    cells = np.ravel_multi_index((table[:, 0], table[:, 1], codes[table[:, 2]]), shape)
    scores = np.frombuffer(rows.scores)
    places, first, owner = np.unique(cells, return_index=True, return_inverse=True)
    flat = np.full(np.prod(shape), np.nan)
    flat[places] = scores[first]

    later = np.ones(len(cells), dtype=bool)
    later[first] = False
    kept = scores[first][owner]
    equal = (scores == kept) | (np.isnan(scores) & np.isnan(kept))
    no_number = np.zeros(len(cells), dtype=bool)
    no_number[list(rows.not_numbers)] = True

    def found(kind: str, chosen: NDArray[np.bool_]) -> Iterator[Finding]:
        of_kind = np.flatnonzero(chosen)
        for metric in np.unique(table[of_kind, 0]):
            of_metric = of_kind[table[of_kind, 0] == metric]
            cells_of = cells[of_metric[:EXAMPLES]] - metric * shape[1] * shape[2]
            file, line = table[of_metric[0], 3:]
            yield Finding(
                kind,
                metrics[metric],
                len(of_metric),
                tuple(_cell(systems, items, int(cell)) for cell in cells_of),
                f"{files[file]}, line {line}",
            )

    findings = [
        *found(DOUBLED, later & equal),
        *found(CONTRADICTING, later & ~equal),
        *found(NOT_A_NUMBER, no_number & ~later),
    ]
    findings += missing_scores(metrics, systems, items, np.isnan(flat))
    counts = None
    if any(rows.counts):
        # The same judgements gave the raw and the standardised score.
        counted = np.zeros(np.prod(shape[1:]), dtype=np.int64)
        np.maximum.at(counted, places % len(counted), np.frombuffer(rows.counts, np.int64)[first])
        counts = counted.reshape(shape[1:] if items else shape[1:2])
    documents = tuple(rows.documents.get(name, "") for name in items)
    metric_files: list[list[str]] = [[] for _metric in metrics]
    for code in np.unique(table[:, 0].astype(np.int64) * len(files) + table[:, 3]).tolist():
        metric_files[code // len(files)].append(files[code % len(files)])
    return ScoreTable(
        pair=key.pair,
        test_set=key.test_set,
        level=key.level,
        metrics=metrics,
        systems=systems,
        items=items,
        scores=flat.reshape(shape if items else shape[:2]),
        layouts=tuple(rows.layouts),
        files=tuple(files[file] for file in np.unique(table[:, 3])),
        reference=key.reference,
        domain=key.domain,
        documents=documents if any(documents) else (),
        counts=counts,
        findings=tuple(findings),
        metric_files=tuple(map(tuple, metric_files)),
    )


def _order(names: Names) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the names, numbers in numeric order, and the place of each code among them."""
    listed = list(names)
    if all(name.isdecimal() for name in listed):
        listed.sort(key=int)
    codes = np.empty(len(listed), dtype=np.intp)
    codes[[names[name] for name in listed]] = np.arange(len(listed))
    return tuple(listed), codes

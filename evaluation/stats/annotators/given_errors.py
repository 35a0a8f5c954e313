"""What annotators do with errors that were marked before, and what it costs and changes.

A given error and a submitted one are *kept* if place, severity and category are the same,
*regraded* if the place alone is, and *moved* if they overlap. Each belongs to one other at most:
first those at the same place, then those that overlap most, by the share of all their characters.
Given errors without a submitted one are *deleted*, submitted ones without a given one *added*.
An error without characters is at the place of another one of the same side.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.formats.answer_times import TOO_LONG
from annotation.formats.span_notation import Span
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import (
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sum_rows,
    with_interval,
)
from evaluation.stats.units import SENTENCES, Unit

NO_SHEETS: Final = "no sheet was judged in this way"
NO_TIMES: Final = "no times are known"
NO_MARKS: Final = "no error was marked"
NO_SCORES: Final = "no scores were given"


# How alike two errors are; 0 if neither can have become the other.
Likeness = Callable[[Span, Span], float]


@dataclass(frozen=True, slots=True)
class GivenCase:
    """A text that was judged after its errors were marked before, whether or not they were shown.

    `judgement` is the id of the judgement, `column` that of the candidate in `candidate_ranks`.
    `origin` is "" where the sheet showed none; then `given` is empty.
    """

    judgement: int
    column: int
    origin: str
    given: tuple[Span, ...]
    submitted: tuple[Span, ...]


class Changes(NamedTuple):
    """How many errors were kept, regraded, moved, deleted and added."""

    kept: int = 0
    regraded: int = 0
    moved: int = 0
    deleted: int = 0
    added: int = 0

    @property
    def given(self) -> int:
        return self.kept + self.regraded + self.moved + self.deleted


def compare(given: Iterable[Span], submitted: Iterable[Span]) -> Changes:
    """Return what became of the given errors of a text."""
    before, after = list(given), list(submitted)
    kept = _take(before, after, lambda one, other: float(one == other))
    regraded = _take(before, after, lambda one, other: float(_place(one) == _place(other)))
    moved = _take(before, after, _overlap)
    return Changes(kept, regraded, moved, deleted=len(before), added=len(after))


def total(changes: Iterable[Changes]) -> Changes:
    """Return the sums."""
    rows = list(changes)
    return Changes(*(sum(column) for column in zip(*rows, strict=True))) if rows else Changes()


def _take(before: list[Span], after: list[Span], likeness: Likeness) -> int:
    """Take pairs out of both lists, the most alike first, and return how many there were."""
    alike = sorted(
        (
            (-likeness(one, other), row, column)
            for row, one in enumerate(before)
            for column, other in enumerate(after)
            if likeness(one, other) > 0
        ),
    )
    rows: set[int] = set()
    columns: set[int] = set()
    for _likeness, row, column in alike:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
    before[:] = [one for row, one in enumerate(before) if row not in rows]
    after[:] = [other for column, other in enumerate(after) if column not in columns]
    return len(rows)


def _place(span: Span) -> tuple[str, int | None, int | None]:
    return span.side, span.start, span.end


def _overlap(one: Span, other: Span) -> float:
    """Return the share of their characters that two errors have in common."""
    if one.side != other.side or one.start is None or other.start is None:
        return 0.0
    assert one.end is not None
    assert other.end is not None
    common = min(one.end, other.end) - max(one.start, other.start)
    return max(common, 0) / (max(one.end, other.end) - min(one.start, other.start))


# --- time and scores -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """T judged texts: with errors given before or without, and the unit of each that is sampled.

    `marks` are the numbers of submitted errors, `seconds` the time of the text, NaN if unknown, and
    `scores` those of the text, NaN if it has none.
    """

    given: NDArray[np.bool_]
    marks: NDArray[np.int64]
    seconds: Floats
    scores: Floats
    units: Codes
    unit: Unit = SENTENCES


@dataclass(frozen=True)
class Work:
    """Work on `texts`, `timed` of them with a known time below TOO_LONG.

    `marks` and `seconds` are means of a text, `per_mark` is all seconds over all errors.
    """

    texts: int
    timed: int
    marks: Estimate
    seconds: Estimate
    median: float | None
    per_mark: Estimate
    score: Estimate


@dataclass(frozen=True)
class WorkCompared:
    """Work with errors given before and without, and with less without."""

    given: Work
    without: Work
    difference: Work


def compare_work(texts: JudgedTexts, *, resamples: int = 1000, seed: int = 0) -> WorkCompared:
    """Return times, marks and scores, with intervals over the sampled units."""
    timed = texts.seconds < TOO_LONG
    scored = ~np.isnan(texts.scores)
    seconds, scores = np.where(timed, texts.seconds, 0.0), np.where(scored, texts.scores, 0.0)
    columns = []
    for group in (texts.given, ~texts.given):
        columns += [
            group,
            group * texts.marks,
            group & timed,
            group * seconds,
            (group & timed) * texts.marks,
            group & scored,
            group * scores,
        ]
    codes, count = number_sentences(texts.units)
    by_unit = sum_rows(codes, np.column_stack(columns).astype(np.float64), count)
    whole = _figures(by_unit.sum(axis=0, keepdims=True))[:, 0]
    again = _figures(resampled_sums(by_unit, resamples=resamples, seed=seed))
    given, without = (
        _work(texts, group & timed, group, whole[place], again[place], len(np.unique(codes[group])))
        for place, group in enumerate((texts.given, ~texts.given))
    )
    difference = _work(texts, None, None, whole[0] - whole[1], again[0] - again[1], count)
    return WorkCompared(given, without, difference)


def _figures(sums: Floats) -> NDArray[np.float64]:
    """Return marks, seconds, seconds a mark and scores: 2 × resamples × 4, with errors first."""
    groups = []
    for part in np.split(sums, 2, axis=1):
        texts, marks, timed, seconds, timed_marks, scored, scores = part.T
        groups.append(
            np.column_stack(
                [
                    shares(marks, texts),
                    shares(seconds, timed),
                    shares(seconds, timed_marks),
                    shares(scores, scored),
                ]
            )
        )
    return np.stack(groups)


def _work(
    texts: JudgedTexts,
    timed: NDArray[np.bool_] | None,
    group: NDArray[np.bool_] | None,
    values: Floats,
    again: Floats,
    units: int,
) -> Work:
    """Return the figures of a group; of the difference where there is no group."""
    marks, seconds, per_mark, score = (
        Estimate(None, undefined=why)
        if np.isnan(values[column])
        else with_interval(float(values[column]), again[:, column], units, unit=texts.unit)
        for column, why in enumerate((NO_SHEETS, NO_TIMES, NO_MARKS, NO_SCORES))
    )
    if group is None or timed is None:
        medians = [_median(texts, rows) for rows in (texts.given, ~texts.given)]
        median = None if None in medians else medians[0] - medians[1]  # type: ignore[operator]
        return Work(len(texts.marks), 0, marks, seconds, median, per_mark, score)
    return Work(
        int(group.sum()), int(timed.sum()), marks, seconds, _median(texts, group), per_mark, score
    )


def _median(texts: JudgedTexts, rows: NDArray[np.bool_]) -> float | None:
    seconds = texts.seconds[rows & (texts.seconds < TOO_LONG)]
    return float(np.median(seconds)) if len(seconds) else None

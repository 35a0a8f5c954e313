"""Work with errors that were marked before and without, in files of Appraise (ESA)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from annotation.formats.appraise import document_of
from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.problems import raise_problems
from evaluation.findings.given_errors import work_table
from evaluation.findings.scoped_tables import ScopedTables
from evaluation.formats.error_span_scores import SpanScore, counted, read_span_scores
from evaluation.rendering.text import _
from evaluation.services.file_findings import DIGITS
from evaluation.stats.annotators.given_errors import JudgedTexts, compare_work
from evaluation.stats.estimates import VERSION, signed
from evaluation.stats.units import Unit

OTHER_PEOPLE: Final = _(
    "The two files are of different annotators, so the groups differ by them too. A text took as "
    "long as from the end of the annotator’s answer before to the end of its own."
)


def compare_files(*, given: Path, without: Path, resamples: int, seed: int) -> ScopedTables:
    """Return the table of work, of the answers that count by the rules of WMT24.

    A text took as long as from the end of the user's answer before, which may be of any type, to
    the end of its own: what Appraise has as its start is the first click. Intervals sample
    documents. Raises InputError with all problems and their lines.
    """
    problems: list[InputError] = []
    marks = [fingerprint(path) for path in (given, without)]
    both = [list(read_span_scores(path, on_error=problems.append)) for path in (given, without)]
    raise_problems(problems)
    kept = [counted(rows).judgements for rows in both]
    seconds = [_seconds(rows) for rows in both]
    answers = [one for rows in kept for one in rows]
    documents = [document_of(one.document, one.system) for one in answers]
    _, units = np.unique(documents, return_inverse=True)
    sizes = [len(rows) for rows in kept]
    unit = Unit("document")
    texts = JudgedTexts(
        given=np.repeat([True, False], sizes),
        marks=np.array([len(one.errors) for one in answers], dtype=np.int64),
        seconds=np.array(
            [of[one.where] for rows, of in zip(kept, seconds, strict=True) for one in rows]
        ),
        scores=np.array([one.score for one in answers]),
        units=units.astype(np.int32),
        unit=unit,
    )
    signature = signed(
        "|".join(
            (
                "errors marked before",
                "time between answers",
                f"95 % intervals of {resamples} resamples of {unit}",
                f"seed {seed}",
                f"answers {len(answers)}",
                f"documents {len(np.unique(units))}",
                f"SegRanks {VERSION}",
            )
        ),
        [f"file {mark.name} sha256 {mark.sha256[:DIGITS]}" for mark in marks],
    )
    left, marked = sum(one.left for one in kept[0]), sum(len(one.errors) for one in kept[0])
    scope = [
        f"With errors marked before: {given}, {sizes[0]} answers. Without: {without}, {sizes[1]}."
    ]
    if left:
        scope.append(
            f"Of {marked} errors of the first file, {left} were marked before and left at their "
            f"places ({left / marked:.0%})."
        )
    work = compare_work(texts, resamples=resamples, seed=seed)
    return ScopedTables(tuple(scope), (work_table(work, signature, (OTHER_PEOPLE,)),))


def _seconds(rows: Sequence[SpanScore]) -> dict[str, float]:
    """Return by the place of an answer the seconds since the user's answer before; NaN for none."""
    found: dict[str, float] = {}
    ends: dict[str, float] = {}
    for one in sorted(rows, key=lambda row: row.ended):
        found[one.where] = one.ended - ends.get(one.user, float("nan"))
        ends[one.user] = one.ended
    return found

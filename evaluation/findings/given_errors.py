"""Errors that were marked before: what annotators made of them, and what it cost and changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import (
    Column,
    Count,
    Interval,
    Name,
    Number,
    Percent,
    Table,
    Words,
    missing_figures,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.annotators.given_errors import (
    Changes,
    JudgedTexts,
    Work,
    WorkCompared,
    compare,
    compare_work,
    total,
)


@dataclass(frozen=True)
class ChangedErrors:
    """What became of given errors of an origin, or of a system, in so many judged texts."""

    name: str
    texts: int
    given: int
    kept: int
    regraded: int
    moved: int
    deleted: int
    added: int

    @property
    def unchanged(self) -> float | None:
        """The share of given errors that were kept as they were."""
        return self.kept / self.given if self.given else None


@dataclass(frozen=True)
class GivenErrorsFound:
    """Given errors by origin and by system, and work with and without them."""

    by_origin: tuple[ChangedErrors, ...]
    by_system: tuple[ChangedErrors, ...]
    work: WorkCompared
    signature: str


def compute(evidence: Evidence) -> GivenErrorsFound | None:
    """Return what annotators made of given errors; None unless a sheet showed some."""
    kept, highest = evidence.judgements, evidence.scale.highest
    rows = {judgement: row for row, judgement in enumerate(kept.ids.tolist())}
    cases = [case for case in evidence.given_errors if case.judgement in rows]
    if not any(case.origin for case in cases):
        return None
    of_row = np.array([rows[case.judgement] for case in cases])
    columns = np.array([case.column for case in cases])
    placed = np.count_nonzero(kept.candidate_ranks, axis=1)
    texts = JudgedTexts(
        given=np.array([bool(case.origin) for case in cases]),
        marks=np.array([len(case.submitted) for case in cases]),
        seconds=kept.seconds[of_row] / placed[of_row],
        scores=np.full(len(cases), np.nan)
        if highest is None
        else highest + 1.0 - kept.candidate_ranks[of_row, columns],
        units=kept.units[of_row],
        unit=kept.unit,
    )
    shown = [(case, row) for case, row in zip(cases, of_row.tolist(), strict=True) if case.origin]
    changed = [(case, row, compare(case.given, case.submitted)) for case, row in shown]
    producers = kept.system_candidates
    return GivenErrorsFound(
        by_origin=_changed((case.origin, changes) for case, _row, changes in changed),
        by_system=_changed(
            (kept.system_names[system], changes)
            for case, row, changes in changed
            for system in np.flatnonzero(producers[row] == case.column).tolist()
        ),
        work=compare_work(texts, **evidence.again),
        signature=kept.sign(
            "errors marked before",
            "overlapping errors one to one",
            f"95 % intervals of {evidence.options.resamples} resamples of {kept.unit}",
            f"seed {evidence.options.seed}",
        ),
    )


def _changed(named: Iterable[tuple[str, Changes]]) -> tuple[ChangedErrors, ...]:
    by_name: dict[str, list[Changes]] = {}
    for name, changes in named:
        by_name.setdefault(name, []).append(changes)
    return tuple(
        ChangedErrors(name, len(rows), total(rows).given, *total(rows))
        for name, rows in sorted(by_name.items())
    )


def tables(found: GivenErrorsFound | None) -> list[Table]:
    if found is None:
        return []
    return [
        changes_table(
            "given-errors",
            _("What annotators made of errors that were marked before."),
            Column("origin", _("Marked by"), Name(), lambda row: row.name),
            found.by_origin,
            (
                _(
                    "Kept: the same characters with the same severity. Regraded: the same "
                    "characters with another severity or category. Moved: other characters, some "
                    "of them the same; each error has at most one other that overlaps it most. "
                    "Deleted: without an error in its place. Added: marked by annotators where "
                    "none was given."
                ),
            ),
            found.signature,
        ),
        changes_table(
            "given-errors-by-system",
            _("The same by system."),
            Column("system", _("System"), Name(), lambda row: row.name),
            found.by_system,
            (),
            found.signature,
        ),
        work_table(
            found.work,
            found.signature,
            (
                _(
                    "Of texts in which errors were marked before, on sheets that were assigned "
                    "since. Which sheets show them is drawn at random, so that the two groups "
                    "differ by chance and by what was shown."
                ),
            ),
        ),
    ]


def changes_table(
    name: str,
    caption: Text,
    first: Column,
    rows: Sequence[ChangedErrors],
    notes: Sequence[Text],
    signature: str,
) -> Table:
    return Table.of(
        name,
        caption,
        (
            first,
            Column("texts", _("Texts"), Count()),
            Column("given", _("Given"), Count()),
            Column("kept", _("Kept"), Count()),
            Column("unchanged", _("Kept, share"), Percent(), is_main=True),
            Column("regraded", _("Regraded"), Count()),
            Column("moved", _("Moved"), Count()),
            Column("deleted", _("Deleted"), Count()),
            Column("added", _("Added"), Count()),
        ),
        rows,
        notes=notes,
        details=[signature],
    )


def _texts(row: Work, work: WorkCompared) -> int | None:
    return None if row is work.difference else row.texts


def work_table(work: WorkCompared, signature: str, notes: Sequence[Text]) -> Table:
    """Return times, marks and scores with and without given errors; `notes` come first."""
    rows: list[tuple[Text, Work]] = [
        (_("with errors marked before"), work.given),
        (_("without"), work.without),
        (_("difference"), work.difference),
    ]

    def figure(name: str, heading: Text, places: int) -> tuple[Column, Column]:
        def value(row: tuple[Text, Work]) -> float | None:
            found: float | None = getattr(row[1], name).value
            return found

        def ends(row: tuple[Text, Work]) -> tuple[float | None, float | None]:
            found = getattr(row[1], name)
            return found.low, found.high

        return (
            Column(name, heading, Number(places), value),
            Column(f"{name}_low {name}_high", _("95 % interval"), Interval(places), ends),
        )

    named = [
        (words, figure)
        for words, part in rows[:2]
        for figure in (part.marks, part.seconds, part.per_mark, part.score)
    ]
    return Table.of(
        "given-errors-work",
        _("Work with and without errors that were marked before."),
        (
            Column("sheets", _("Sheets"), Words(), lambda row: row[0]),
            Column("texts", _("Texts"), Count(), lambda row: _texts(row[1], work)),
            *figure("marks", _("Errors a text"), 2),
            Column(
                "median_seconds", _("Median seconds a text"), Number(1), lambda row: row[1].median
            ),
            *figure("seconds", _("Mean seconds a text"), 1),
            *figure("per_mark", _("Seconds an error"), 1),
            *figure("score", _("Score"), 1),
        ),
        rows,
        notes=(
            *notes,
            _(
                "Errors are those submitted; seconds an error are all seconds divided by all "
                "errors, kept ones included. Times of 10 minutes and more are left out. A "
                "difference of scores says how far annotators follow what was marked before."
            ),
            *missing_figures(named),
        ),
        details=[signature],
    )

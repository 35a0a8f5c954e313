"""Whether scores depend on what stood beside a translation: its column, and the other systems."""

from dataclasses import dataclass

import numpy as np

from evaluation.findings.conclusions import TERMS
from evaluation.findings.evidence import Evidence
from evaluation.findings.options import OTHERS
from evaluation.rendering.tables import (
    Column,
    Count,
    Number,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.conclusions import SLOPES, Term, effects_beside

NOT_IN_MODEL = "the effect cannot be told from that of the systems"


@dataclass(frozen=True)
class ScoredColumn:
    """The scores of one column, from 1: their mean, and how far they are above other columns.

    The latter is by the model of conclusions, for equal systems and documents.
    """

    column: int
    mean: float
    above: Estimate
    scores: int


@dataclass(frozen=True)
class Neighbours:
    """How much higher a score is by a point of the others' mean, or by one system more."""

    term: Term
    effect: Estimate


@dataclass(frozen=True)
class Columns:
    """The columns of sheets of several systems, and the effects of the other systems on them."""

    columns: tuple[ScoredColumn, ...]
    neighbours: tuple[Neighbours, ...]
    signature: str


def compute(evidence: Evidence) -> Columns | None:
    """Return the columns; None unless translations that stand side by side got scores."""
    if not evidence.modelled or not evidence.columns:
        return None
    fitted = evidence.modelled[0].fitted
    scores, sheets = fitted.scores, fitted.sheets
    if sheets is None or not (sheets.columns > 0).any():
        return None
    effects, nothing = effects_beside(fitted), Estimate(None, undefined=NOT_IN_MODEL)
    return Columns(
        tuple(
            ScoredColumn(
                column,
                float(scores.values[sheets.columns == column].mean()),
                effects.columns.get(column, nothing),
                int(np.count_nonzero(sheets.columns == column)),
            )
            for column in np.unique(sheets.columns[sheets.columns > 0]).tolist()
        ),
        tuple(
            Neighbours(term, effects.slopes.get(term, nothing))
            for term in (*fitted.terms, *fitted.refused)
            if term in SLOPES
        ),
        evidence.judgements.sign(fitted.words, f"jackknife by {scores.unit}", "Student’s t"),
    )


def tables(found: Columns | None) -> list[Table]:
    if found is None:
        return []
    columns = Table.of(
        "columns",
        _("Scores by the column in which a translation stood."),
        (
            Column("column", _("Column"), Count()),
            Column("mean", _("Mean score"), Number(1)),
            *estimate_columns("above", _("Above other columns"), lambda row: row.above, places=1),
            Column("scores", _("Scores"), Count()),
        ),
        found.columns,
        notes=(
            _(
                "Above other columns: how much higher scores in this column are, for equal systems "
                "and documents. Equal translations, which are judged once, are no column. The "
                "conclusions about systems take it into account."
            ),
            *missing_figures((Text(str(row.column)), row.above) for row in found.columns),
        ),
        details=[found.signature],
    )
    return [columns.renamed(OTHERS["document"]), *neighbours_tables(found)]


def neighbours_tables(found: Columns) -> list[Table]:
    if not found.neighbours:
        return []
    made = Table.of(
        "neighbours",
        _("How scores depend on the other systems on the sheet."),
        (
            Column("term", _("Effect of"), Words(), lambda row: TERMS[row.term]),
            *estimate_columns("effect", _("Effect"), lambda row: row.effect, places=2),
        ),
        found.neighbours,
        notes=(
            _(
                "The effect of one point by which the other systems are better on average, or of "
                "one system more: below 0, a system gets less beside better ones. The conclusions "
                "about systems take it into account."
            ),
            *missing_figures((TERMS[row.term], row.effect) for row in found.neighbours),
        ),
        details=[found.signature],
    )
    return [made.renamed(OTHERS["document"])]

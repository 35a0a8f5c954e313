"""Whether scores depend on where a translation stands beside those of other systems."""

from dataclasses import dataclass

import numpy as np

from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import (
    Column,
    Count,
    Number,
    Table,
    estimate_columns,
    missing_intervals,
)
from evaluation.rendering.text import _
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.marked_systems import scores_of_systems
from evaluation.stats.resampling import UNBOUNDED, shares, sums_by
from evaluation.stats.score_means import SystemScores, estimate_means


@dataclass(frozen=True)
class ScoredColumn:
    """The scores of one column, from 1: their mean, and how far they are above their systems'."""

    column: int
    mean: float
    above: Estimate
    scores: int


@dataclass(frozen=True)
class Columns:
    """The columns of sheets of several systems; equal translations, judged once, are left out."""

    columns: tuple[ScoredColumn, ...]
    signature: str


def compute(evidence: Evidence) -> Columns | None:
    """Return the columns; None unless translations that stand side by side got scores."""
    judgements, highest = evidence.judgements, evidence.scale.highest
    if not evidence.columns or highest is None:
        return None
    scores = scores_of_systems(judgements, highest)
    rows, systems = np.nonzero(judgements.system_ranks)
    shown = np.array(
        [
            evidence.columns.get((sheet, judgements.system_names[system]), 0)
            for sheet, system in zip(
                judgements.sheets[rows].tolist(), systems.tolist(), strict=True
            )
        ],
        dtype=np.int32,
    )
    width = judgements.candidate_ranks.shape[1]
    cards = rows * width + judgements.system_candidates[rows, systems]
    _cards, places, times = np.unique(cards, return_inverse=True, return_counts=True)
    kept = (shown > 0) & (times[places] == 1)
    if not kept.any():
        return None
    own, names = scores.select(kept), judgements.system_names
    columns = shown[kept] - 1
    counts = sums_by(own.systems, np.ones(len(own)), len(names))
    means = shares(sums_by(own.systems, own.values, len(names)), counts)
    number = int(columns.max()) + 1
    above = SystemScores(
        own.values - means[own.systems],
        systems=columns,
        # Each score counts alike.
        segments=np.arange(len(own), dtype=np.int32),
        annotators=own.annotators,
        units=own.units,
        names=number,
        unit=own.unit,
        bounds=UNBOUNDED,
    )
    estimates = estimate_means(above, **evidence.again)
    options = evidence.options
    return Columns(
        tuple(
            ScoredColumn(
                column + 1,
                float(own.values[columns == column].mean()),
                estimates[column],
                int(np.count_nonzero(columns == column)),
            )
            for column in np.unique(columns).tolist()
        ),
        judgements.sign(
            "scores by column",
            "less the mean of the system",
            f"95 % intervals of {options.resamples} resamples of {judgements.unit}",
            f"seed {options.seed}",
        ),
    )


def tables(found: Columns | None) -> list[Table]:
    if found is None:
        return []
    return [
        Table.of(
            "columns",
            _("Scores by the column in which a translation stood."),
            (
                Column("column", _("Column"), Count()),
                Column("mean", _("Mean score"), Number(1)),
                *estimate_columns(
                    "above", _("Above the system’s mean"), lambda row: row.above, places=1
                ),
                Column("scores", _("Scores"), Count()),
            ),
            found.columns,
            notes=(
                _(
                    "Columns are in random order on each sheet, so that a score that is often "
                    "above or below its system’s mean tells of the place. Equal translations, "
                    "which are judged once, are left out."
                ),
                *missing_intervals(row.above for row in found.columns),
            ),
            details=[found.signature],
        )
    ]

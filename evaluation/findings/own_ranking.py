"""Systems by the means of what annotators answered, where each candidate is judged by itself."""

from dataclasses import dataclass

from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import _
from evaluation.stats.estimates import Estimate


@dataclass(frozen=True)
class RankedMean:
    """A system with its mean; `rank` is None if there is no mean."""

    system: str
    rank: int | None
    score: Estimate


@dataclass(frozen=True)
class OwnRanking:
    """`mean` says what the scores are; systems are those of the report, the best first."""

    mean: str
    systems: tuple[RankedMean, ...]
    signature: str


def table(found: OwnRanking) -> Table:
    return Table.of(
        "means",
        f"Systems by {found.mean}.",
        (
            Column("rank", _("Rank"), Count()),
            Column("system", _("System"), Name()),
            *estimate_columns("score", _("Score"), lambda row: row.score),
        ),
        found.systems,
        notes=missing_figures((row.system, row.score) for row in found.systems),
        details=[found.signature],
    )

"""Systems that were added and are judged by sampled segments only: what their estimates say."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.findings.reused_answers import ReusedAnswersReport, reused_table
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    Ranks,
    Table,
    interval_column,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.estimates import Estimate


@dataclass(frozen=True)
class OtherSystem:
    """A ranked system and its ratio of wins, among which the estimated one has its ranks."""

    system: str
    score: float


@dataclass(frozen=True)
class EstimatedSystem:
    """A system that was added and is judged by sampled segments only; not among the ranked ones.

    `score` is the ratio of wins: predicted from texts, and from FEWEST_JUDGED judged segments on,
    `judged` of the `sampled`, corrected by them with `weight`. The ranks are those among `others`,
    by name. `needed` more judged segments make the interval ± 0.01; None if no number does.
    They take annotators `seconds`, None if their speed is unknown. `undefined` says why there is no
    score. Where answers are steps of a scale, `reused` has what those about the other systems'
    texts say.
    """

    system: str
    sampled: int
    judged: int
    score: Estimate
    predicted: Estimate
    rank: int | None = None
    best_rank: int | None = None
    worst_rank: int | None = None
    others: tuple[OtherSystem, ...] = ()
    weight: float = 0.0
    needed: int | None = None
    seconds: float | None = None
    undefined: str = ""
    signature: str = ""
    reused: ReusedAnswersReport | None = None


def tables(systems: Sequence[EstimatedSystem]) -> list[Table]:
    if not systems:
        return []
    found = [row.reused for row in systems if row.reused]
    return [estimated_table(systems), *([reused_table(found)] if found else [])]


def estimated_table(systems: Sequence[EstimatedSystem]) -> Table:
    return Table.of(
        "estimated-systems",
        _("Systems judged by a random sample of the texts in which they have a new candidate."),
        (
            Column("system", _("System"), Name()),
            Column("score", _("Ratio of wins"), value=lambda row: row.score.value, is_main=True),
            interval_column("score"),
            Column("best_rank worst_rank", _("Ranks"), Ranks()),
            Column("judged", _("Judged"), Count()),
            Column("sampled", _("Sampled"), Count()),
            Column("weight", _("Weight of the judgements"), Number(2)),
            Column("predicted", _("Predicted"), value=lambda row: row.predicted.value),
            interval_column("predicted", prefix="predicted_"),
            Column("needed", _("More for ± 0.01"), Count()),
        ),
        systems,
        notes=(
            _(
                "Their scores are predicted from the texts and from what annotators said of the "
                "other systems, and corrected by the sample. They are not in the ranking."
            ),
            _(
                "Intervals are of 95 %. The rank is the place among the other systems. An estimate "
                "holds for the texts of this project and for these annotators, not for other texts."
            ),
            *(
                Text("%(name)s: %(why)s.", {"name": row.system, "why": Text(row.undefined)})
                for row in systems
                if row.undefined
            ),
        ),
        details=[row.signature for row in systems],
    )

"""The ranking of the systems that an administrator left undecided, apart from that of all."""

from dataclasses import dataclass

from evaluation.findings.pairs import pairs_table
from evaluation.findings.ranking import ranking_table
from evaluation.rendering.tables import Table
from evaluation.rendering.text import Listed, Text, _
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import EstimatedRanking


@dataclass(frozen=True)
class UndecidedRanking:
    """The ranking of the `systems` that an administrator left undecided at `when`.

    `by` is the name of the administrator.

    `estimand` says what its scores are. Of the `judgements` with two candidates of these systems,
    before filters, `narrowed` showed only candidates of undecided ones; `unused` ones were narrowed
    by other decisions, and lack candidates of these systems.
    """

    systems: tuple[str, ...]
    decided: tuple[str, ...]
    when: str
    by: str
    estimand: str
    judgements: int
    sentences: int
    narrowed: int
    unused: int
    ranking: EstimatedRanking
    significance: Significance


def tables(found: UndecidedRanking | None) -> list[Table]:
    if found is None:
        return []
    decided = (
        _(
            "Decided on %(when)s by %(who)s: %(systems)s.",
            when=found.when,
            who=found.by,
            systems=Listed(found.decided),
        )
        if found.by
        else _("Decided on %(when)s: %(systems)s.", when=found.when, systems=Listed(found.decided))
    )
    return [
        ranking_table(
            found.ranking,
            name="undecided-systems",
            caption=_("Undecided systems by the share of comparisons won against each other."),
            notes=[
                _(
                    "Judgements of two or more of their candidates: %(number)s; without the "
                    "decided systems: %(narrowed)s.",
                    number=found.judgements,
                    narrowed=found.narrowed,
                ),
                decided,
            ],
        ),
        pairs_table(
            found.significance,
            name="undecided-pairs",
            caption=_("How often an undecided system was better than another."),
            notes=choice_notes(),
        ),
    ]


def choice_notes() -> list[Text]:
    return [
        _(
            "Holm corrects for the pairs of these systems. The systems were chosen because earlier "
            "judgements, which count here too, did not tell them apart."
        )
    ]

"""Which system is better: the rankings by each score, with intervals, ranks and clusters."""

from collections.abc import Mapping, Sequence
from typing import Final

from evaluation.findings.evidence import Evidence
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.intervals import forest_plot
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    Ranks,
    Table,
    estimate_columns,
)
from evaluation.rendering.text import Listed, Quantity, Text, _, ngettext
from evaluation.stats.ranking.mean_grades import rank_by_mean_grade
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem, rank_all

# Every score that systems are ranked by, in the order of the page.
SCORES: Final[Mapping[str, Text]] = {
    "mean_grade": _("Mean grade"),
    "ratio_of_wins": _("Ratio of wins"),
    "ratio_with_ties": _("Ratio with ties"),
    "expected_wins": _("Expected wins"),
    "bradley_terry": _("Bradley–Terry"),
    "mean_score": _("Mean score"),
    "mean_points": _("Mean error points"),
}
CAPTIONS: Final[Mapping[str, Text | str]] = {
    "mean_grade": _("Systems by mean grade."),
    "ratio_of_wins": _("Systems by ratio of wins, ties ignored."),
    "ratio_with_ties": _("Systems by ratio of wins, ties counted as wins."),
    "expected_wins": _("Systems by expected wins."),
    "bradley_terry": _("Systems by Bradley–Terry with ties of different texts."),
    # Only commands rank by it.
    "hopkins_may": "Systems by abilities of Hopkins and May.",
}
EXPLAINED: Final[Mapping[str, Text]] = {
    "mean_grade": _(
        "The mean of the grades of the system’s candidates, over all its answers. It compares "
        "systems only if annotators use the grades alike."
    ),
    "ratio_of_wins": _(
        "Wins / (wins + losses) over all comparisons with other systems; ties do not count. 0.5 "
        "means as many wins as losses."
    ),
    "ratio_with_ties": _(
        "(Wins + ties) / all comparisons, as at WMT until 2011. This favours systems whose output "
        "resembles that of others."
    ),
    "expected_wins": _(
        "The mean of the system’s win rates against each other system: the probability of winning "
        "against a random opponent. Every opponent has the same weight."
    ),
    "bradley_terry": _(
        "The strengths that best explain all wins and ties of different texts; the mean of all "
        "systems is 0. The strength of the opponents is taken into account."
    ),
}
# The score of a system that wins as often as it loses.
MIDDLE: Final = {"ratio_of_wins": 0.5, "expected_wins": 0.5}
# The columns that are in a table of their own too, since they are the same for each score.
COMPARISONS: Final = (
    Column("wins", _("Wins"), Count()),
    Column("losses", _("Losses"), Count()),
    Column("ties_of_different_texts", _("Ties"), Count()),
    Column("same_text", _("Same text"), Count()),
    Column("missing", _("Missing"), may_be_empty=True),
)
TIES: Final = _(
    "Ties are different texts on the same rank or with the same answer. “Same text” counts "
    "comparisons of systems that have the same candidate, which no annotator compared."
)


def compute(evidence: Evidence) -> dict[str, EstimatedRanking]:
    """Return the ranking by each method; if there are grades, that by mean grades is the first."""
    judgements = evidence.judgements
    shared = {"cells": evidence.cells, "texts": evidence.same_texts, **evidence.again}
    found = rank_all(judgements, **shared)
    if evidence.answers is None:
        return found
    by_grade = rank_by_mean_grade(judgements, evidence.answers, evidence.scale.grades, **shared)
    return {by_grade.method: by_grade, **found}


def tables(found: Sequence[EstimatedRanking]) -> list[Table]:
    return [*map(ranking_table, found), *map(comparisons_table, found[:1])]


def comparisons_table(found: EstimatedRanking, *more: Column) -> Table:
    """Return what each system won, lost and tied, and `more` columns."""
    return Table.of(
        "comparisons",
        _("Comparisons with all other systems"),
        (Column("system", _("System"), Name()), *COMPARISONS, *more),
        found.systems,
        notes=comparison_notes(found),
        details=[found.signature],
    )


def ranking_table(
    found: EstimatedRanking,
    *,
    name: str = "",
    caption: Text | str = "",
    notes: Sequence[Text | str] = (),
) -> Table:
    """Return the table of one ranking; lines separate the clusters."""
    return Table.of(
        name or f"ranking-{found.method}",
        caption or CAPTIONS[found.method],
        (
            Column("rank", _("Rank"), Count()),
            Column("system", _("System"), Name()),
            *estimate_columns("score", _("Score"), lambda row: row.score),
            Column("best_rank worst_rank", _("Ranks"), Ranks(), may_be_empty=True),
            Column("cluster", _("Cluster"), Count(), may_be_empty=True),
            Column("first", _("P(best)"), Number(2), may_be_empty=True),
            *COMPARISONS,
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=(*notes, *ranking_notes(found)),
        details=[found.signature],
    )


def ranking_notes(found: EstimatedRanking) -> list[Text | str]:
    """Return how scores, intervals and clusters are to be read, and why some are missing."""
    notes: list[Text | str] = [EXPLAINED[found.method]] if found.method in EXPLAINED else []
    if any(row.score.low is not None for row in found.systems):
        notes.append(
            _(
                "Intervals, rank ranges and clusters say what other sentences judged by the same "
                "annotators would give. They cannot say what other annotators would find: %(why)s.",
                why=Text(found.only_sentences),
            )
            if found.only_sentences
            else _(
                "The first interval is for other sentences judged by the same annotators, the "
                "second for other sentences and other annotators. Rank ranges and clusters are for "
                "both."
            )
        )
    if found.boundaries:
        notes.append(
            ngettext(
                "The boundary between the clusters holds in this share of draws: %(shares)s.",
                "The boundaries between the clusters, from the top, hold in these shares of draws: "
                "%(shares)s.",
                len(found.boundaries),
                shares=Listed([Quantity(share, 2) for share in found.boundaries]),
            )
        )
    return notes + missing_scores(found.systems)


def missing_scores(systems: Sequence[RankedSystem]) -> list[Text]:
    """Return why scores and intervals of ranked systems are missing."""
    lacking = dict.fromkeys(row.score.no_interval for row in systems if row.score.no_interval)
    return [
        *(
            Text("%(name)s: %(why)s.", {"name": row.system, "why": Text(row.score.undefined)})
            for row in systems
            if row.score.undefined
        ),
        *(
            _("No intervals, rank ranges or clusters: %(why)s.", why=Text(reason))
            for reason in lacking
        ),
    ]


def comparison_notes(found: EstimatedRanking) -> list[Text | str]:
    """Return how wins, losses and ties are to be read."""
    unknown = found.systems and all(row.missing is None for row in found.systems)
    notes = [
        TIES,
        _("Missing: unknown, since the files name only the systems ranked.")
        if unknown
        else _("“Missing” is the share of judged segments or sentences without a candidate."),
    ]
    ties = sum(row.ties for row in found.systems)
    if ties:
        share = Quantity(sum(row.same_text for row in found.systems) / ties, 3)
        notes.append(_("The share of same texts among all ties is %(share)s.", share=share))
    return [*notes]


def figure(found: EstimatedRanking) -> Figure:
    name = f"ranking-{found.method}"
    return Figure(
        name,
        _("Scores with intervals"),
        name,
        lambda look, words: forest_plot(found, MIDDLE.get(found.method), look, words),
    )


def figures(found: Sequence[EstimatedRanking]) -> list[Figure]:
    return [figure(each) for each in found]

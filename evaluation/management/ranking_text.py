"""Texts of `manage.py rank_systems`."""

from evaluation.findings.ranking import TIES
from evaluation.rendering.formats import as_text
from evaluation.rendering.tables import Column, Count, Interval, Name, Number, Table
from evaluation.services.findings import Findings
from evaluation.services.own_ranking import OwnRanking


def wins_text(findings: Findings) -> str:
    """Return the systems with their counts, best first; undefined ratios have no place."""
    if not findings.ranking.systems:
        return "The systems of this project are unknown: it was imported without --systems."
    return as_text(
        Table.of(
            "wins",
            "Systems by ratio of wins, ties ignored.",
            (
                Column(
                    "place",
                    "place",
                    Count(),
                    lambda row: None if row[1].ratio_of_wins is None else row[0],
                ),
                Column("system", "system", Name(), lambda row: row[1].system),
                Column("wins", "wins", Count(), lambda row: row[1].wins),
                Column("losses", "losses", Count(), lambda row: row[1].losses),
                Column("ties", "ties", Count(), lambda row: row[1].ties_of_different_texts),
                Column("same_text", "same text", Count(), lambda row: row[1].same_text),
                Column(
                    "ratio_of_wins", "ratio of wins", Number(4), lambda row: row[1].ratio_of_wins
                ),
            ),
            enumerate(findings.ranking.systems, start=1),
            notes=[TIES],
            details=[findings.ranking_signature],
        )
    )


def means_text(found: OwnRanking) -> str:
    return as_text(
        Table.of(
            "means",
            f"Systems by {found.mean}.",
            (
                Column("place", "place", Count(), lambda row: row.rank),
                Column("system", "system", Name()),
                Column("score", found.mean, Number(4), lambda row: row.score.value),
                Column(
                    "low high",
                    "95 % interval",
                    Interval(4),
                    lambda row: (row.score.low, row.score.high),
                ),
                Column(
                    "wide_low wide_high",
                    "annotators too",
                    Interval(4),
                    lambda row: (row.score.wide_low, row.score.wide_high),
                ),
            ),
            found.systems,
            details=[found.signature],
        )
    )

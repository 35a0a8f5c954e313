"""Texts of `manage.py rank_systems`."""

from evaluation.report.formats import UNDEFINED, decimal, ranking_table, text_table
from evaluation.services.findings import Findings
from evaluation.services.own_ranking import OwnRanking


def wins_text(findings: Findings) -> str:
    if not findings.ranking.systems:
        return "The systems of this project are unknown: it was imported without --systems."
    return f"{ranking_table(findings.ranking)}\n\n{findings.ranking_signature}"


def means_text(found: OwnRanking) -> str:
    header = ["place", "system", found["mean"], "from", "to", "wide from", "wide to"]
    rows = [
        [
            UNDEFINED if row["rank"] is None else str(row["rank"]),
            row["system"],
            *(decimal(row[name], 4) for name in ("score", "low", "high", "wide_low", "wide_high")),
        ]
        for row in found["systems"]
    ]
    return f"{text_table(header, rows, words=(1,))}\n\n{found['signature']}"

"""`manage.py rank_systems PROJECT [--json]`: rank the systems of a project."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.projects.names import find_project
from evaluation.report.formats import UNDEFINED, as_text, decimal, ranking_table, text_table
from evaluation.report.options import ReportOptions
from evaluation.report.tables import estimated_table, ranking_by_method, undecided_table
from evaluation.services.estimated_systems import estimated_systems
from evaluation.services.findings import Findings, provenance, ranking_by, ranking_report
from evaluation.services.own_ranking import OwnRanking, own_ranking
from evaluation.services.undecided_systems import undecided_ranking
from evaluation.stats.ranking.systems import BY_WINS


class Command(SegRanksCommand):
    help = (
        "Rank a project's systems by ratio of wins (ties ignored), and estimate those that were "
        "added with --judge. Where annotators give scores, grades or answers, the ranking by their "
        "means is first. --method adds another ranking, with intervals. In JSON, undefined figures "
        "are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="a project's id or exact name")
        parser.add_argument(
            "--method", choices=tuple(BY_WINS), help="add the ranking by another score by wins"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = Findings(find_project(options["project"]))
        rules = provenance(findings.project)
        estimated = estimated_systems(findings.project, rules)
        undecided = undecided_ranking(findings.project, rules)
        means = own_ranking(findings.project, ReportOptions())
        method = options["method"]
        ranked = ranking_by(findings, method) if method else None
        if options["json"]:
            report = ranking_report(findings)
            if means:
                report["means"] = means
            if estimated:
                report["estimated"] = estimated
            if undecided:
                report["undecided"] = undecided
            if ranked:
                report["rankings"] = {method: ranked}
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            parts = [
                *([_means(means)] if means else []),
                _table(findings),
                *([as_text(ranking_by_method(method, ranked))] if ranked else []),
                *([as_text(undecided_table(undecided))] if undecided else []),
                *([as_text(estimated_table(estimated))] if estimated else []),
            ]
            self.stdout.write("\n\n".join(parts))


def _table(findings: Findings) -> str:
    if not findings.ranking.systems:
        return "The systems of this project are unknown: it was imported without --systems."
    return f"{ranking_table(findings.ranking)}\n\n{findings.ranking_signature}"


def _means(found: OwnRanking) -> str:
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

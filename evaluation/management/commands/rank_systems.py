"""`manage.py rank_systems PROJECT [--json]`: rank the systems of a project."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.projects.names import find_project
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
        from evaluation.findings import estimated as estimated_findings
        from evaluation.findings import undecided as undecided_findings
        from evaluation.findings.options import ReportOptions
        from evaluation.findings.ranking import ranking_table
        from evaluation.findings.serialisation import to_json
        from evaluation.management.ranking_text import means_text, wins_text
        from evaluation.rendering.formats import as_text
        from evaluation.services.estimated_systems import estimated_systems
        from evaluation.services.findings import Findings, provenance, ranking_by, ranking_report
        from evaluation.services.own_ranking import own_ranking
        from evaluation.services.undecided_systems import undecided_ranking

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
                report["means"] = to_json(means)
            if estimated:
                report["estimated"] = to_json(estimated)
            if undecided:
                report["undecided"] = to_json(undecided)
            if ranked:
                report["rankings"] = {method: to_json(ranked)}
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            parts = [
                *([means_text(means)] if means else []),
                wins_text(findings),
                *([as_text(ranking_table(ranked))] if ranked else []),
                *map(as_text, undecided_findings.tables(undecided)[:1]),
                *map(as_text, estimated_findings.tables(estimated)[:1]),
            ]
            self.stdout.write("\n\n".join(parts))

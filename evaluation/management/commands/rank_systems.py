"""`manage.py rank_systems PROJECT [--json]`: the systems, best first."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.base import SegRanksCommand
from annotation.projects import find_project
from evaluation.reports import Findings, ranking_report
from evaluation.text_tables import decimal, text_table


class Command(SegRanksCommand):
    help = (
        "Rank a project's systems by ratio of wins, ties ignored. In JSON an undefined ratio is "
        "null, and ratios have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="a project's id or exact name")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = Findings(find_project(options["project"]))
        if options["json"]:
            report = ranking_report(findings)
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            self.stdout.write(_table(findings))


def _table(findings: Findings) -> str:
    rows = [
        [
            str(place) if result.ratio_of_wins is not None else decimal(None),
            result.system,
            str(result.wins),
            str(result.losses),
            str(result.ties),
            decimal(result.ratio_of_wins, 4),
        ]
        for place, result in enumerate(findings.ranking.systems, start=1)
    ]
    header = ["place", "system", "wins", "losses", "ties", "ratio of wins"]
    if not rows:
        return "The project has no systems: import_segments was not given --systems."
    table = text_table(header, rows, words=(1,))
    return f"{table}\n\n{findings.ranking_signature}"

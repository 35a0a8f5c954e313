"""`manage.py rank_systems PROJECT [--json]`: rank the systems of a project."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.projects.names import find_project
from evaluation.stats.ranking.systems import BY_WINS


class Command(SegRanksCommand):
    help = (
        "Rank a project's systems with 95 % intervals, by ratio of wins (ties ignored) or another "
        "score, and estimate those that were added with --judge. Where annotators give scores, "
        "grades or answers, the ranking by their means is first. In JSON, undefined figures are "
        "null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="a project's id or exact name")
        parser.add_argument(
            "--method",
            choices=tuple(BY_WINS),
            default="ratio_of_wins",
            help="the score by wins (ratio_of_wins)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings import estimated, own_ranking, undecided
        from evaluation.findings.ranking import ranking_table
        from evaluation.findings.serialisation import to_json
        from evaluation.rendering.formats import as_text
        from evaluation.services.rankings import rankings_of_project

        found = rankings_of_project(find_project(options["project"]), options["method"])
        if options["json"]:
            self.stdout.write(json.dumps(to_json(found), ensure_ascii=False, indent=1))
            return
        tables = [
            *([own_ranking.table(found.means)] if found.means else []),
            ranking_table(found.ranking),
            *undecided.tables(found.undecided)[:1],
            *estimated.tables(found.estimated)[:1],
        ]
        self.stdout.write("\n\n".join(map(as_text, tables)))
        if not found.ranking.systems:
            self.stdout.write(
                "The systems of this project are unknown: it was imported without --systems."
            )

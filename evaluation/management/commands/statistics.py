"""`manage.py statistics [PROJECT] [--json]`: annotators, their time and their agreement."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = (
        "Show a project's annotators, their time and agreement, and totals; without a project, "
        "list all projects. In JSON, undefined figures are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", nargs="?", help="a project's id or exact name")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        from annotation.selectors.judgements import project_summaries
        from evaluation.management.statistics_text import projects_text, statistics_text
        from evaluation.services.findings import Findings, statistics_report

        if options["project"] is None:
            projects = project_summaries()
            self.stdout.write(
                _json(list(map(asdict, projects))) if options["json"] else projects_text(projects)
            )
            return
        findings = Findings(find_project(options["project"]))
        self.stdout.write(
            _json(statistics_report(findings)) if options["json"] else statistics_text(findings)
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)

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
        from evaluation.findings.serialisation import to_json
        from evaluation.management.statistics_text import projects_text, statistics_text
        from evaluation.services.findings import statistics_of

        if options["project"] is None:
            projects = project_summaries()
            self.stdout.write(
                _json(list(map(asdict, projects))) if options["json"] else projects_text(projects)
            )
            return
        project = find_project(options["project"])
        found = statistics_of(project)
        self.stdout.write(
            _json(to_json(found)) if options["json"] else statistics_text(project, found)
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)

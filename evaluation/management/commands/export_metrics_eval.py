"""`manage.py export_metrics_eval PROJECT --output DIR`: a test set for mt-metrics-eval."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.projects.names import find_project
from evaluation.formats.metrics_eval_folder import SYSTEM_NAMES
from evaluation.management.metric_options import (
    add_metric_options,
    chosen_metrics,
    chosen_resources,
)


class Command(SegRanksCommand):
    help = (
        "Write a project as a test set of mt-metrics-eval, version 2: the sentences with a "
        "reference, the outputs of the systems, and the scores by people: of rankings, ratios of "
        "wins of systems and net wins of segments; of other kinds, mean scores; None where people "
        "did not judge. Scores of metrics are added if they are asked for by --metric."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("project", help="a project's id or exact name")
        add(
            "--output",
            type=Path,
            required=True,
            metavar="DIR",
            help="the folder in which a new folder gets the project's name",
        )
        add_metric_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.report.files import check_folder
        from evaluation.services.metrics_export import export_metrics_eval

        project = find_project(options["project"])
        metrics = chosen_metrics(options) if options["metric"] else ()
        resources = chosen_resources(options, metrics)
        check_folder(options["output"])
        written = export_metrics_eval(
            project, options["output"], metrics=metrics, resources=resources
        )
        self.stdout.write(
            f"{options['output']}: {len(written)} files with {project.name!r}, scores by people "
            f"and by metrics ({len(metrics)})."
        )
        if any(path.name == SYSTEM_NAMES for path in written):
            self.stdout.write(
                f"Some systems have other names there, which files can have: {SYSTEM_NAMES} "
                "lists them."
            )

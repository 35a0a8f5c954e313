"""`manage.py score_assessments FILE…`: annotators and systems of direct assessments.

They are in files, or in a project with `--project`.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from evaluation.management.metric_options import write_files
from evaluation.management.table_options import add_table_options, checked_resampling


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Test annotators and rank systems by direct assessments (scores from 0 to 100) in files of "
        "WMT or exports of Appraise, or in a project. Nothing is stored. Systems are "
        "compared by the annotators who score degraded outputs lower, if there are any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("files", nargs="*", type=Path, metavar="FILE", help="assessments; may be gzipped")
        add("--project", metavar="PROJECT", help="instead of files: a project's id or exact name")
        add(
            "--all-annotators",
            action="store_true",
            help="include the annotators who do not pass the test of degraded outputs",
        )
        add(
            "--model",
            action="store_true",
            help="add a model in which scores of precise annotators count more, agreement on "
            "repeats and of two annotators, and the effect of the previous score",
        )
        add(
            "--keep",
            type=int,
            metavar="N",
            help="with --model: score systems also by the N most precise annotators only",
        )
        add_table_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.report.files import table_files
        from evaluation.services.assessments import assessments_of_files
        from evaluation.services.project_assessments import assessments_of_project

        resampling = checked_resampling(options)
        if bool(options["files"]) == (options["project"] is not None):
            raise InputError("Give files with assessments, or --project PROJECT.")
        if options["keep"] is not None and (options["keep"] < 1 or not options["model"]):
            raise InputError("--keep is a number of annotators, from 1, and needs --model.")
        how = {
            "all_annotators": options["all_annotators"],
            "with_model": options["model"],
            "keep": options["keep"],
            **resampling,
        }
        if options["files"]:
            found = assessments_of_files(options["files"], **how)
        else:
            found = assessments_of_project(find_project(options["project"]), **how)
        if options["output"]:
            text = f"{found.text}\n".encode()
            write_files(options["output"], [("assessments.txt", text), *table_files(found.all)])
        self.stdout.write(found.text)

"""`manage.py compare_given_spans WITH WITHOUT`: what errors marked before cost and change."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from evaluation.management.metric_options import write_files
from evaluation.management.table_options import add_table_options, checked_resampling


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Compare times, marks and scores of two files of Appraise (ESA): one of annotators who saw "
        "errors that were marked before, and one of annotators who saw none. No project is needed, "
        "and nothing is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("given", type=Path, metavar="WITH", help="may be gzipped")
        parser.add_argument("without", type=Path, metavar="WITHOUT", help="may be gzipped")
        add_table_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.report.files import table_files
        from evaluation.services.given_error_files import compare_files

        found = compare_files(
            given=options["given"], without=options["without"], **checked_resampling(options)
        )
        if options["output"]:
            text = f"{found.text}\n".encode()
            write_files(options["output"], [("given-errors.txt", text), *table_files(found.all)])
        self.stdout.write(found.text)

"""`manage.py score_error_spans FILE…`: systems by marked errors and scores in files."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.error_points import WEIGHTS
from evaluation.management.metric_options import write_files
from evaluation.management.table_options import add_table_options, checked_resampling


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Rank systems by the errors that annotators marked in translations: MQM (TSV), ESA (CSV of "
        "Appraise) and annotations of Pearmut. Files are recognised by their content. No project "
        "is needed, and nothing is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("files", nargs="+", type=Path, metavar="FILE", help="judgements; may be gzipped")
        add(
            "--weights",
            choices=tuple(WEIGHTS),
            help="of error points: of Freitag et al. 2021 (experts, the default) or of WMT24, "
            "where errors of the source and reinterpretations do not count",
        )
        add_table_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.report.files import table_files
        from evaluation.services.error_spans import error_spans_of_files

        resampling = checked_resampling(options)
        found = error_spans_of_files(
            options["files"],
            weights=options["weights"],
            **resampling,
        )
        if options["output"]:
            text = f"{found.text}\n".encode()
            write_files(options["output"], [("error-spans.txt", text), *table_files(found.all)])
        self.stdout.write(found.text)

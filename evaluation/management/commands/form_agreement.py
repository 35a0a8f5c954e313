"""`manage.py form_agreement FILE`: what annotators of WMT07's to WMT09's forms agree on."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from evaluation.management.metric_options import write_files
from evaluation.management.table_options import add_table_options, checked_resampling


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Say how far annotators agree who filled in the forms of WMT07 to WMT09: adequacy and "
        "fluency, rankings of sentences and constituents, acceptance of constituents, editing and "
        "acceptance of edits; with times and the answers by system. No project is needed, and "
        "nothing is stored. In JSON, undefined figures are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("file", type=Path, metavar="FILE", help="judgements of one year; may be gzipped")
        add("--json", action="store_true", help="print JSON")
        add_table_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.form_agreement import form_text, tables
        from evaluation.findings.serialisation import to_json
        from evaluation.report.files import table_files
        from evaluation.services.form_agreement import form_agreement_of_file

        resampling = checked_resampling(options)
        found = form_agreement_of_file(options["file"], **resampling)
        text = form_text(found)
        whole = json.dumps(to_json(found), ensure_ascii=False, indent=1)
        if options["output"]:
            names = ("forms.txt", f"{text}\n".encode()), ("forms.json", f"{whole}\n".encode())
            write_files(options["output"], [*names, *table_files(tables(found))])
        self.stdout.write(whole if options["json"] else text)

"""`manage.py form_agreement FILE`: what annotators of WMT07's to WMT09's forms agree on."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from evaluation.management.metric_options import write_files
from evaluation.report.files import check_folder, table_files
from evaluation.report.form_text import form_tables, form_text
from evaluation.report.options import BadOption, ReportOptions
from evaluation.services.form_agreement import form_agreement_of_file


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
        add("--resamples", type=int, default=1000, help="number of bootstrap samples (1000)")
        add("--seed", type=int, default=0, help="random seed (0)")
        add("--json", action="store_true", help="print JSON")
        add(
            "--output",
            type=Path,
            metavar="DIR",
            help="write all tables (LaTeX, CSV, Markdown, JSON), too; the folder is created if "
            "missing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["output"]:
            check_folder(options["output"])
        try:
            drawn = ReportOptions(resamples=options["resamples"], seed=options["seed"])
        except BadOption as problem:
            raise InputError(str(problem)) from problem
        found = form_agreement_of_file(options["file"], resamples=drawn.resamples, seed=drawn.seed)
        text = form_text(found)
        whole = json.dumps(found, ensure_ascii=False, indent=1)
        if options["output"]:
            tables = table_files(form_tables(found))
            names = ("forms.txt", f"{text}\n".encode()), ("forms.json", f"{whole}\n".encode())
            write_files(options["output"], [*names, *tables])
        self.stdout.write(whole if options["json"] else text)

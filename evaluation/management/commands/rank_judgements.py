"""`manage.py rank_judgements FILE…`: ranking and agreement from files, without a project."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.management.judgement_files import add_file_options, chosen_files
from evaluation.stats.ranking.systems import BY_WINS, METHODS


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Rank systems, compare pairs of them and measure agreement, from files of judgements. No "
        "project is needed, and nothing is stored. Agreement is computed over unordered pairs of "
        "candidates, and also as WMT published it. `report --from` writes the whole report. In "
        "JSON, undefined figures are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("files", nargs="+", type=Path, metavar="FILE", help="judgements; may be gzipped")
        add_file_options(parser)
        add(
            "--method", choices=tuple(BY_WINS), default=METHODS[0], help=f"the score ({METHODS[0]})"
        )
        add("--resamples", type=int, default=1000, help="number of bootstrap samples (1000)")
        add("--seed", type=int, default=0, help="random seed (0)")
        add("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.ranking_of_files import ranking_text
        from evaluation.services.file_findings import ranking_of_files

        choice = chosen_files(options)
        assert choice is not None
        try:
            drawn = ReportOptions(resamples=options["resamples"], seed=options["seed"])
        except BadOption as problem:
            raise InputError(str(problem)) from problem
        found = ranking_of_files(
            choice, options["method"], resamples=drawn.resamples, seed=drawn.seed
        )
        from evaluation.findings.serialisation import to_json

        text = json.dumps(to_json(found), ensure_ascii=False, indent=1)
        self.stdout.write(text if options["json"] else ranking_text(found))

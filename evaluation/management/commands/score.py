"""`manage.py score NAME=FILE… --reference FILE` or `score PROJECT`: automatic metrics."""

import json
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.management.given_texts import add_encoding, given_texts
from annotation.management.progress_bar import Bar
from evaluation.management.metric_options import (
    add_metric_options,
    chosen_metrics,
    chosen_resources,
    write_files,
)

# The test set of texts that are no project.
TEST_SET: Final = "texts"


class Command(SegRanksCommand):
    help = (
        "Score outputs of systems by automatic metrics, from files or of a project, whose stored "
        "outputs and reference are compared. Higher is better for all metrics: TER, WER, PER and "
        "CDER are 1 - rate. Nothing is stored. In JSON, scores have 6 decimals; files have all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add(
            "texts",
            nargs="+",
            metavar="NAME=FILE",
            help="outputs of systems, a sentence a line; or a project's id or exact name",
        )
        add(
            "--reference",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="with files: a reference, a sentence a line, or a set of references: a JSON array "
            "of texts a line, or texts separated by tabs; repeat for several",
        )
        add(
            "--language",
            metavar="CODE",
            help="with files: the language of the outputs, such as zh or pt_BR, or both: en-zh",
        )
        add_encoding(parser)
        add_metric_options(parser)
        add("--sentences", action="store_true", help="print scores of sentences, too")
        add(
            "--output",
            type=Path,
            metavar="DIR",
            help="write METRIC.sys.score and METRIC.seg.score in the layout of WMT13-16",
        )
        add("--json", action="store_true", help="print JSON")

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.needs_tables = not options["reference"]
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.management.scored_texts import (
            score_files,
            scores_json,
            texts_of_files,
            texts_of_project,
        )
        from evaluation.report.files import check_folder
        from evaluation.report.metric_text import scores_text
        from evaluation.services.metric_scores import score_texts

        metrics = chosen_metrics(options)
        resources = chosen_resources(options, metrics)
        if options["output"]:
            check_folder(options["output"])
        if options["reference"]:
            if not options["language"]:
                raise InputError("Give --language CODE: words are split by the rules of one.")
            with given_texts(options["encoding"], self.stderr.write) as given:
                texts, pair, language = texts_of_files(options, given)
            test_set = TEST_SET
        else:
            texts, pair, language, test_set = texts_of_project(options)
        for problem in texts.problems:
            self.stderr.write(str(problem))
        bar = Bar()
        try:
            scored = score_texts(
                texts,
                language,
                metrics,
                systems=texts.systems,
                sentence_numbers=texts.sentence_numbers,
                resources=resources,
                progress=lambda done, total: bar("scoring", done, total),
            )
        finally:
            bar.close()
        if options["output"]:
            files = [
                file for metric in scored for file in score_files(metric, texts, pair, test_set)
            ]
            encoded = ((name, text.encode()) for name, text in files)
            written = write_files(options["output"], encoded)
            if not options["json"]:
                self.stdout.write(f"{options['output']}: {len(written)} files of scores.\n")
        if options["json"]:
            found = scores_json(scored, texts, pair, sentences=options["sentences"])
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=1))
            return
        sentences = len(texts.sentence_numbers)
        self.stdout.write(scores_text(scored, texts.systems, sentences, texts.all_sentences))
        if options["sentences"]:
            for metric in scored:
                *_of_systems, (_name, text) = score_files(metric, texts, pair, test_set)
                self.stdout.write(f"\n{text}", ending="")

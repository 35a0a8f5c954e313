"""`manage.py model_annotators PROJECT`: who is right, who is precise, and what the order does."""

from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from evaluation.management.metric_options import write_files
from evaluation.management.table_options import add_table_options, checked_resampling


class Command(SegRanksCommand):
    help = (
        "Fit models of the annotators of a project who answer about each candidate by itself: how "
        "often they are right, and how often they answer without looking (yes or no, grades), how "
        "precise their scores are (grades, scores), systems by these models, and the effect of the "
        "previous answer. With --output, also the answers of each annotator by the true one, and "
        "the probability of each answer to be the true one, by item. Nothing is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="a project's id or exact name")
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="score systems also by the N most precise annotators only",
        )
        add_table_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.annotator_models import long_tables, tables
        from evaluation.findings.options import AnnotatorModelOptions
        from evaluation.findings.scoped_tables import ScopedTables
        from evaluation.report.files import table_files
        from evaluation.services.annotator_models import annotator_models

        resampling = checked_resampling(options)
        if options["keep"] is not None and options["keep"] < 1:
            raise InputError("--keep is a number of annotators, from 1.")
        models = annotator_models(
            find_project(options["project"]),
            AnnotatorModelOptions(keep=options["keep"], **resampling),
        )
        found = ScopedTables(models.scope, tuple(tables(models)), tuple(long_tables(models)))
        if options["output"]:
            text = f"{found.text}\n".encode()
            write_files(options["output"], [("annotators.txt", text), *table_files(found.all)])
        self.stdout.write(found.text)

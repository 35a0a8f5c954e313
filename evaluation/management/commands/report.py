"""`manage.py report PROJECT|--from FILE… --output DIR`: write the report as files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from evaluation.findings.options import BLOCK_SIZE, UNITS, BadOption, ReportOptions
from evaluation.management.judgement_files import add_file_options, chosen_files
from evaluation.stats.ranking.marked_systems import ERROR_FREE_FROM

if TYPE_CHECKING:
    from evaluation.findings.report import Report


class Command(SegRanksCommand):
    help = (
        "Write the report of a project, or of judgements in files, to a folder: report.json, "
        "tables as LaTeX, CSV, Markdown and JSON, and figures as Vega-Lite. Equal judgements, "
        "options and seeds give equal figures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("project", nargs="?", help="a project's id or exact name")
        add(
            "--from",
            dest="files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="instead of a project: judgements, which may be gzipped",
        )
        add_file_options(parser)
        add(
            "--output",
            type=Path,
            metavar="DIR",
            help="the folder, created if missing; files of an older report in it are replaced",
        )
        add(
            "--paper",
            type=Path,
            metavar="FOLDER",
            help="a new folder with a table, figures, method, limits and sources for a paper",
        )
        add("--resamples", type=int, default=1000, help="bootstrap samples (1000; at least 100)")
        add("--seed", type=int, default=0, help="random seed (0)")
        add(
            "--minimum-kappa",
            type=float,
            metavar="X",
            help="exclude annotators whose κ, with themselves or with others, is below this on at "
            "least 10 sentences",
        )
        add(
            "--minimum-controls",
            type=float,
            metavar="X",
            help="exclude annotators who passed less than this share of their control items",
        )
        add(
            "--without-repeats",
            action="store_true",
            help="exclude repeated judgements of segments",
        )

        add(
            "--unit",
            choices=UNITS,
            help="what intervals and tests sample: sentences, the documents of sentences "
            "(default where documents are judged), or blocks of neighbouring sentences",
        )
        add(
            "--block-size",
            type=int,
            default=BLOCK_SIZE,
            metavar="N",
            help=f"sentences in a block ({BLOCK_SIZE})",
        )

        add(
            "--error-free-from",
            type=int,
            default=ERROR_FREE_FROM,
            metavar="N",
            help="the least score of a translation without marked errors that is error-free "
            f"({ERROR_FREE_FROM})",
        )

        add(
            "--with-predictions",
            action="store_true",
            help="add estimates with predictions from the texts of all sentences, or means of "
            "scores with the help of metrics",
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.needs_tables = options["project"] is not None and not options["files"]
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.models import default_options
        from evaluation.report.files import check_folder, write_folder
        from evaluation.report.paper import write_paper
        from evaluation.services.file_findings import report_of_files
        from evaluation.services.report_kinds import make_report

        choice = chosen_files(options)
        if (choice is None) == (options["project"] is None):
            raise InputError("Give a project, or files by --from, but not both.")
        project = None if choice else find_project(options["project"])
        chosen = _options(options, default_options(project) if project else ReportOptions())
        if choice is not None and chosen.minimum_controls is not None:
            raise InputError("Files have no control items: leave out --minimum-controls.")
        if choice is not None and chosen.unit == "document":
            raise InputError("Files of judgements name no documents: use --unit block.")
        if choice is not None and chosen.predictions:
            raise InputError("Files have no texts of all sentences: leave out --with-predictions.")
        folder, paper = options["output"], options["paper"]
        if folder is None and paper is None:
            raise InputError("Give a folder by --output, or one for a paper by --paper.")
        if folder:
            check_folder(folder)
        if paper:
            check_folder(paper, "--paper")
        if choice is not None:
            data = report_of_files(choice, chosen)
        elif project is not None:
            data = make_report(project, chosen).data
        if folder:
            self.stdout.write(_summary(data, folder, len(write_folder(data, folder))))
        if paper:
            number = len(write_paper(data, paper))
            self.stdout.write(f"{paper}: {number} files for a paper; paper.tex has all of them.")


def _options(given: dict[str, Any], default: ReportOptions) -> ReportOptions:
    """Return the options that are given, with the default unit. Raises InputError."""
    try:
        return ReportOptions(
            resamples=given["resamples"],
            seed=given["seed"],
            minimum_kappa=given["minimum_kappa"],
            minimum_controls=given["minimum_controls"],
            repeats=not given["without_repeats"],
            predictions=given["with_predictions"],
            unit=given["unit"] or default.unit,
            block_size=given["block_size"],
            error_free_from=given["error_free_from"],
        )
    except BadOption as problem:
        raise InputError(str(problem)) from problem


def _summary(report: "Report", folder: Path, files: int) -> str:
    from evaluation.rendering.formats import decimal

    judged = report.judged
    lines = [
        f"{folder}: {files} files about {judged.judgements} judgements of "
        f"{judged.sentences_judged} sentences, in {decimal(report.seconds['total'], 1)} s."
    ]
    if excluded := report.excluded:
        counts = {**vars(excluded), "judgements": excluded.discarded}
        parts = [
            f"{counts[name]} {name}"
            for name in ("sentences", "segments", "candidates", "judgements")
            if counts[name]
        ]
        if parts:
            lines.append(f"Excluded by administrators: {', '.join(parts)}.")
    left_out = report.left_out
    if left_out.judgements:
        people = ", ".join(row.annotator for row in left_out.annotators)
        lines.append(
            f"Excluded: {left_out.judgements} of {left_out.of} judgements"
            f"{f', all of {people}' if people else ''}; {left_out.repeats} repeats."
        )
    if not report.project.systems:
        lines.append("The systems are unknown, so they are not ranked.")
    lines.append(report.signature)
    return "\n".join(lines)

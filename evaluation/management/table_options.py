"""The options that commands share that compute tables from files with resamples."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.formats.errors import InputError
from evaluation.findings.options import BadOption, ReportOptions


def add_table_options(parser: CommandParser) -> None:
    """Add --resamples, --seed and --output."""
    add = parser.add_argument
    add("--resamples", type=int, default=1000, help="number of bootstrap samples (1000)")
    add("--seed", type=int, default=0, help="random seed (0)")
    add(
        "--output",
        type=Path,
        metavar="DIR",
        help="write all tables (LaTeX, CSV, Markdown, JSON), too; the folder is created if missing",
    )


def checked_resampling(options: dict[str, Any]) -> dict[str, int]:
    """Return `resamples` and `seed`. Raise InputError if they, or the folder, cannot be used."""
    from evaluation.report.files import check_folder

    if options["output"]:
        check_folder(options["output"])
    try:
        checked = ReportOptions(resamples=options["resamples"], seed=options["seed"])
    except BadOption as problem:
        raise InputError(str(problem)) from problem
    return {"resamples": checked.resamples, "seed": checked.seed}

"""`manage.py import_given_spans PROJECT FILE --origin NAME`: errors marked before, from a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats.errors import InputError
from annotation.models import GivenOrigin
from annotation.projects.administration import change_settings
from annotation.projects.names import find_project
from evaluation.services.given_errors import GivenFile, import_given_errors


class Command(SegRanksCommand):
    help = (
        "Store errors that a program or other people marked in the translations of a project, for "
        "annotators to keep, change and delete. FILE is a campaign of Pearmut with error_spans, "
        "the TSV of MQM, or the JSON of a metric; the format is detected."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="may be gzipped")
        parser.add_argument(
            "--origin",
            required=True,
            metavar="NAME",
            help="who or what marked the errors, for the report; annotators do not see it",
        )
        parser.add_argument(
            "--by",
            choices=GivenOrigin.By.values,
            default=GivenOrigin.By.PROGRAM,
            help="what annotators are told: that a program or an annotator marked them (default "
            "program)",
        )
        parser.add_argument(
            "--rater", default="", metavar="NAME", help="take the errors of this rater of MQM only"
        )
        parser.add_argument(
            "--share",
            type=float,
            help="the share of sheets that show errors marked before, from 0 to 1; it is drawn at "
            "random which do (default: as it is, at first 1)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        share = options["share"]
        if share is not None and not 0 <= share <= 1:
            raise InputError("--share is from 0 to 1.")
        stored = import_given_errors(
            project=project,
            path=options["file"],
            name=options["origin"],
            by=options["by"],
            marker=options["rater"],
        )
        if share is not None:
            change_settings(project=project, values={"given_share": share})
        self.stdout.write(f"Project {project.pk} {project.name!r} {_told(stored)}")


def _told(stored: GivenFile) -> str:
    parts = [
        f"has {counted(stored.errors, 'error')} of {stored.origin.name} in "
        f"{counted(stored.texts, 'translation')}."
    ]
    others = {
        "Errors without a known place, left out": stored.unplaced,
        "Lists of equal texts by other systems, left out": stored.lists,
    }
    return " ".join(parts + [f"{what}: {number}." for what, number in others.items() if number])

"""`manage.py give_spans_of PROJECT`: a second pass over what annotators marked."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.projects.names import find_project
from evaluation.services.given_errors import give_errors_of_annotators


class Command(SegRanksCommand):
    help = (
        "Show annotators what other annotators have marked, or they themselves, to keep, change "
        "and delete. Each annotator becomes an origin of errors, “annotator 1” and so on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the id or name of the project that shows them")
        parser.add_argument(
            "--from-project",
            metavar="PROJECT",
            help="the project in which they were marked, such as the one that this was copied from "
            "(default: the same)",
        )
        parser.add_argument(
            "--annotator", default="", metavar="NAME", help="of this annotator only"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        judged = options["from_project"]
        origins = give_errors_of_annotators(
            project=project,
            judged_in=find_project(judged) if judged else project,
            annotator=options["annotator"],
        )
        for origin in origins:
            texts = counted(origin.errors.count(), "translation")
            self.stdout.write(f"Project {project.pk} {project.name!r} has {origin.name}: {texts}.")

"""`manage.py create_project_from_pearmut FILE NAME`: a campaign of Pearmut as a project."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation.import_export.left_out import left_out_sentence
from annotation.management.commands.create_project import Command as CreateProject
from annotation.models import Job
from annotation.projects.pearmut_campaigns import new_campaign


class Command(CreateProject):
    help = (
        "Create a project of the kind of a campaign of Pearmut, with its documents, item ids and "
        "systems, one at a time or side by side, its categories, sliders, errors marked before, "
        "checks and tutorials. What a project does not take is counted; protocols and sliders "
        "that no kind has are refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("file", type=Path, metavar="FILE", help="a campaign, or a list of them")
        add("name", help="the project's name, which must be new")
        add("--languages", required=True, help="source-target, as en-cs or en-zh_Hans")
        add("--campaign", default="", metavar="ID", help="which one, if the file has several")
        add("--queue", action="store_true", help="let a worker prepare it")

    def handle(self, *args: Any, **options: Any) -> None:
        left_out: dict[str, int] = {}
        self._create(_stored(options, left_out), queue=options["queue"])
        if said := left_out_sentence(left_out):
            self.stdout.write(said)


@contextmanager
def _stored(options: Mapping[str, Any], left_out: dict[str, int]) -> Iterator[Job]:
    """Store the campaign, and add to `left_out` what it has that a project does not take."""
    with new_campaign(
        path=options["file"],
        name=options["name"],
        languages=options["languages"],
        campaign_id=options["campaign"],
    ) as (job, counts):
        left_out.update(counts)
        yield job

"""`manage.py export_pearmut_campaign PROJECT FILE`: a project as a campaign of Pearmut."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.atomic_files import write_file
from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.pearmut import write_campaign
from annotation.projects.names import find_project
from evaluation.services.pearmut_campaigns import campaign_of


class Command(SegRanksCommand):
    help = (
        "Write the texts of a project as a campaign that `pearmut add` takes: direct assessment "
        "as DA, several scores as DA with sliders, error spans with a score as ESA, categories of "
        "errors as MQM, with errors marked before, practice, and controls side by side. Judgements "
        "are not in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("project", help="a project's id or exact name")
        add("file", type=Path, metavar="FILE", help="the JSON to write")
        add("--users", type=int, default=1, metavar="N", help="how many annotators (1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["users"] < 1:
            raise InputError("--users must be at least 1.")
        project = find_project(options["project"])
        campaign = campaign_of(project, users=options["users"])
        write_file(options["file"], [write_campaign(campaign).encode()])
        self.stdout.write(
            f"Project {project.pk} {project.name!r} is in {options['file']} "
            f"({campaign.protocol}, {sum(map(len, campaign.tasks[0]))} sentences)."
        )

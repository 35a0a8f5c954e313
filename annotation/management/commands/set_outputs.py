"""`manage.py set_outputs PROJECT NAME=FILE…`: store whole outputs beside ready-made segments."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.management.given_texts import add_encoding, given_texts, named_files
from annotation.pipeline import jobs
from annotation.pipeline.system_outputs import set_outputs
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = (
        "Store the whole outputs of systems in a project of ready-made segments, which has their "
        "candidates only: metrics, tuning and predictions need whole outputs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument(
            "outputs", nargs="+", metavar="NAME=FILE", help="a system and its output, line by line"
        )
        add_encoding(parser)
        parser.add_argument("--tokenized", action="store_true", help="the files are tokenised")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        jobs.refuse_at_work(project)
        with given_texts(options["encoding"], self.stderr.write) as given:
            counts = set_outputs(
                project=project,
                files=given.of_systems(named_files("NAME=FILE", options["outputs"])),
                tokenized=options["tokenized"],
                originals=given.originals,
            )
        for name, count in counts.items():
            self.stdout.write(f"{name}: {count} outputs stored.")

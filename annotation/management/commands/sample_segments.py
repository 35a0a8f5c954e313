"""`manage.py sample_segments PROJECT SYSTEM N`: judge more segments of a system that was added."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.pipeline.reassignment import sample_segments
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = (
        "Sample more segments at random to judge a system that was added with --judge; annotators "
        "get them first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("system", help="the system's name")
        parser.add_argument("count", type=int, metavar="N", help="how many segments more")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        system = project.systems.filter(name=options["system"]).first()
        if system is None:
            raise InputError(
                f"The project {project.name!r} has no system {options['system']!r}: check the name."
            )
        if options["count"] < 1:
            raise InputError("N must be at least 1.")
        sampled = sample_segments(system=system, count=options["count"])
        left = "" if sampled == options["count"] else " There are no more with a new candidate."
        self.stdout.write(f"{sampled} segments are judged again.{left}")

"""`manage.py add_system`: add a system to a project that people judge already."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.file_roles import SYSTEM
from annotation.management.given_texts import add_encoding, given_texts, named_files
from annotation.management.progress_bar import Bar
from annotation.models import Project, System
from annotation.pipeline import jobs
from annotation.pipeline.system_candidates import project_new_system
from annotation.pipeline.system_outputs import read_system, store_system
from annotation.preparation.alignment import EFFORTS
from annotation.projects.added_systems import entries
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = "Add a system to a project; only segments with a new candidate are judged again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("project", help="the project's id or name")
        add("system", metavar="NAME=FILE", help="the system's outputs, a sentence a line")
        add("--alignment", type=Path, metavar="FILE", help="its word alignment, in Pharaoh format")
        add_encoding(parser)
        add("--tokenized", action="store_true", help="the text is tokenised")
        add("--effort", default="", choices=EFFORTS, help="effort of alignment (the project's)")
        add(
            "--judge",
            type=int,
            metavar="N",
            help="assign only N segments with a new candidate again, sampled at random; "
            "`rank_systems` and the report then estimate the score",
        )
        add("--seed", type=int, default=0, help="seed of the sample (0)")
        add("--go-on", action="store_true", help="finish adding a system that was interrupted")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["judge"] is not None and options["judge"] < 0:
            raise InputError("--judge must be 0 or more.")
        if options["go_on"] and options["judge"] is not None:
            raise InputError("--go-on goes on as the system was begun: leave out --judge.")
        project = find_project(options["project"])
        jobs.refuse_at_work(project)
        ((name, path),) = named_files("system", [options["system"]]).items()
        system = _unfinished(project, name) if options["go_on"] else None
        if system is None:
            with (
                given_texts(options["encoding"], self.stderr.write) as given,
                read_system(
                    project=project,
                    name=name,
                    path=given.text(path, SYSTEM, name),
                    links=options["alignment"],
                    tokenized=options["tokenized"],
                    judge=options["judge"],
                    seed=options["seed"],
                    originals=given.originals,
                ) as read,
            ):
                system = store_system(read)
        bar = Bar()
        try:
            counts = project_new_system(system=system, effort=options["effort"], progress=bar)
        finally:
            bar.close()
        self.stdout.write(
            f"{name} is a system of project {project.pk} {project.name!r} now.\n"
            f"  known    {counts.known} segments where another system has the same candidate\n"
            f"  new      {counts.new} segments with a new candidate\n"
            f"  missing  {counts.missing} segments with no candidate\n"
            f"  again    {counts.reassigned} segments are judged again, with all their candidates"
        )


def _unfinished(project: Project, name: str) -> System:
    system = project.systems.filter(name=name).first() if name in entries(project) else None
    if system is None:
        raise InputError(f"No system {name!r} was added to this project: leave out --go-on.")
    return system

"""`manage.py set_undecided PROJECT NAME… | --all`: show annotators the undecided systems only."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from annotation.projects.provenance import Decision
from annotation.projects.undecided_systems import propose, set_undecided


class Command(SegRanksCommand):
    help = (
        "From now on, show annotators only the candidates of these systems, because the others are "
        "decided. New judgements then count in the ranking of the undecided systems alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("names", nargs="*", metavar="NAME", help="the undecided systems")
        parser.add_argument("--all", action="store_true", help="show all systems again")
        parser.add_argument("--by", default="", help="who decides, for the report")
        parser.add_argument(
            "--preview", action="store_true", help="print what it saves, and change nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        if bool(options["names"]) == options["all"]:
            raise InputError("Name the systems that are undecided, or give --all.")
        names = options["names"] or list(project.systems.values_list("name", flat=True))
        if options["preview"]:
            self.stdout.write(_words(propose(project=project, names=names)))
            return
        decision = set_undecided(project=project, names=names, by=options["by"])
        self.stdout.write(_words(decision) if decision else "Nothing changes.")


def _words(decision: Decision) -> str:
    if not decision.decided:
        return "Annotators see the candidates of all systems."
    shown = decision.shown
    before, after = shown.per_segment or 0, shown.narrowed_per_segment or 0
    return (
        f"Annotators see the candidates of {', '.join(decision.undecided)}, not of "
        f"{', '.join(decision.decided)}: {after:.2f} candidates a segment instead of {before:.2f}, "
        f"in {shown.narrowed_segments} segments instead of {shown.segments}, about "
        f"{shown.time_saved or 0:.0%} less time."
    )

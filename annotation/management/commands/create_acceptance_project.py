"""`manage.py create_acceptance_project PROJECT NAME`: have people accept the edits of a project."""

from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.models import Job
from annotation.pipeline import jobs
from annotation.pipeline.acceptance_project import new_acceptance_project
from annotation.projects.deletion import delete_project
from annotation.projects.names import check_new_name, find_project
from annotation.projects.provenance import provenance_of


class Command(SegRanksCommand):
    help = (
        "Create a project in which people say of each edit of a project of post-editing whether it "
        "is fully fluent and means the same. It takes the edits as they are now, and is paused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the id or name of the project of post-editing")
        parser.add_argument("name", help="the new project's name, which no other project has")

    def handle(self, *args: Any, **options: Any) -> None:
        project, name = find_project(options["project"]), check_new_name(options["name"])
        job = new_acceptance_project(project=project, name=name)
        jobs.process_chunk(job.pk)
        job.refresh_from_db()
        if job.state == Job.State.FAILED:
            delete_project(job.project)
            raise InputError(job.error)
        made = job.project
        made.refresh_from_db()
        counts = provenance_of(made).counts
        self.stdout.write(
            f"Project {made.pk} {made.name!r} is paused: open it on its page.\n"
            f"  sentences   {counts.segments} with edits, of {counts.sentences}\n"
            f"  systems     {counts.systems}\n"
            f"  unique      {counts.candidates} edits"
        )

"""Deleting a project whole, where nobody is doing something with it."""

from annotation.models import Project
from annotation.pipeline.jobs import Busy, is_at_work
from annotation.projects.deletion import delete_project


def delete(project: Project) -> None:
    """Delete the project with all that belongs to it; raise Busy while a worker is at it."""
    if is_at_work(project):
        raise Busy
    delete_project(project)

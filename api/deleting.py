"""Deleting a project whole, where nobody is doing something with it."""

from annotation.deleting import delete_project
from annotation.jobs import Busy, is_at_work
from annotation.models import Project


def delete(project: Project) -> None:
    """Delete the project with all that belongs to it; raise Busy while a worker is at it."""
    if is_at_work(project):
        raise Busy
    delete_project(project)

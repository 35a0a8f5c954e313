"""Deleting a project whole, where nobody is doing something with it."""

from annotation.models import Project
from annotation.pipeline.jobs import JobInProgress, is_at_work
from annotation.projects.deletion import delete_project


def delete(project: Project) -> None:
    """Delete the project with all that belongs to it; raise JobInProgress where a job runs."""
    if is_at_work(project):
        raise JobInProgress
    delete_project(project)

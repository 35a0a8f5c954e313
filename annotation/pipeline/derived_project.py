"""New projects whose texts a worker takes from another project."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import writing
from annotation.models import Job, Membership, Project, User
from annotation.projects.administration import NAME_IS_TAKEN


@contextmanager
def derived_project(
    original: Project, task: Job.Task, *, by: User | None, **fields: Any
) -> Iterator[Job]:
    """Create the project that is being prepared, and its job; yield it in their transaction.

    `by` becomes the owner and only member. The caller enqueues the job. Raises NotPossible if the
    name is taken.
    """
    try:
        with writing():
            made = Project.objects.create(
                state=Project.State.PREPARING,
                source_language=original.source_language,
                target_language=original.target_language,
                **fields,
            )
            if by:
                Membership.objects.create(project=made, user=by, role=Membership.Role.OWNER)
            yield Job.objects.create(project=made, task=task, options={"project": original.pk})
    except IntegrityError:
        raise NotPossible(str(NAME_IS_TAKEN)) from None


def original_of(job: Job) -> Project | None:
    """Return the project whose texts the job takes; None if it was deleted."""
    return Project.objects.filter(pk=job.options["project"]).first()

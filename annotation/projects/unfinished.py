"""New projects that are stored a page at a time, so that other people's writes never wait for long.

Until its last page is stored, a project is hidden, as a project that is being deleted is, and
`delete_after` is the lease of the process that stores it: a worker deletes what a killed process
has left.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import DatabaseError, IntegrityError

from annotation.common.transactions import let_others_write, writing
from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.process import clock
from annotation.projects.deletion import continue_deletion
from annotation.projects.names import check_new_name

# Longer than it takes to read a page.
LEASE: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class UnfinishedProject:
    """A hidden project that is stored a page at a time."""

    project: Project

    @contextmanager
    def page(self) -> Iterator[None]:
        """Open the transaction of a page. Raise InputError if the lease has been lost."""
        with writing():
            self._renew(clock.now() + LEASE)
            yield
        let_others_write()

    @contextmanager
    def last_page(self) -> Iterator[None]:
        """Open the transaction that makes the project visible.

        Raises InputError if the lease has been lost, or another project has taken the name.
        """
        try:
            with writing():
                self._renew(None)
                yield
        except IntegrityError:
            check_new_name(self.project.name)
            raise

    def _renew(self, until: datetime | None) -> None:
        hidden = Project.with_hidden.filter(pk=self.project.pk)
        if not hidden.filter(delete_after=self.project.delete_after).update(delete_after=until):
            raise InputError(
                "Storing the project was interrupted for more than 10 minutes, so that it was "
                "deleted: try again."
            )
        self.project.delete_after = until


@contextmanager
def unfinished_project(**fields: Any) -> Iterator[UnfinishedProject]:
    """Store a hidden project; the block stores its pages, and in the end the last one.

    If the block raises an error, all that it has stored is deleted.
    """
    project = Project.with_hidden.create(**fields, delete_after=clock.now() + LEASE)
    try:
        yield UnfinishedProject(project)
    except BaseException:
        # Without a database, a worker does it when the lease has expired.
        with suppress(DatabaseError):
            hidden = Project.with_hidden.filter(pk=project.pk).exclude(delete_after=None)
            hidden.update(delete_after=clock.now())
            continue_deletion(project.pk)
        raise

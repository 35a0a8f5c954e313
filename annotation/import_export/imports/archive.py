"""A project from its archive, on this or another installation."""

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from pathlib import Path

from django.db import DataError, IntegrityError, transaction

from annotation.formats.archive import check_archive, read_archive
from annotation.formats.archive_records import (
    AccountRecord,
    ProjectRecord,
    Record,
)
from annotation.formats.errors import InputError
from annotation.import_export.archive_parts import Page, part
from annotation.import_export.imports.accounts import ImportedAccounts
from annotation.import_export.imports.archive_assignments import restore_assignments
from annotation.import_export.imports.archive_sentences import restore_sentences
from annotation.models import Instructions, Membership, Project, System, User
from annotation.projects.names import check_new_name, storing_new

# Records whose rows are written in one go.
PAGE = 200


class Restorer:
    """What has been restored of a project, for what comes next to refer to."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.systems: dict[str, System] = {}
        self.users: dict[str, User] = {}
        self.versions: dict[int, Instructions] = {}
        self.of_others: dict[str, Callable[[Page], None]] = {}

    def restore(self, tag: str, page: Page) -> None:
        """Store the records, which all have this tag. Raises InputError."""
        kept = part(tag)
        if kept is None:
            of_tag: Callable[[Page], None] = getattr(self, tag)
            of_tag(page)
        else:
            if tag not in self.of_others:
                self.of_others[tag] = kept.restorer(self.restored)
            self.of_others[tag](page)

    def project(self, page: Page) -> None:
        ((_where, record),) = page
        assert isinstance(record, ProjectRecord)
        self.restored = _restore_project(record, self.name)
        self.accounts = ImportedAccounts(self.restored)

    def system(self, page: Page) -> None:
        for where, record in page:
            if record.name in self.systems:
                raise InputError(f"{where}: there are two systems {record.name!r}.")
            self.systems[record.name] = System(project=self.restored, name=record.name)
        System.objects.bulk_create(self.systems[record.name] for _where, record in page)

    def account(self, page: Page) -> None:
        for where, record in page:
            if record.name in self.users:
                raise InputError(f"{where}: there are two accounts {record.name!r}.")
            if record.most_sentences is not None and record.role is None:
                raise InputError(f"{where}: who is no member has no number of sentences.")
            self.users[record.name] = self._restore_account(record)

    def instructions(self, page: Page) -> None:
        for where, record in page:
            if record.version in self.versions:
                raise InputError(f"{where}: there are two versions {record.version}.")
            if record.author is not None and record.author not in self.users:
                raise InputError(f"{where}: there is no account {record.author!r} in the archive.")
            self.versions[record.version] = Instructions.objects.create(
                project=self.restored,
                version=record.version,
                text=record.text,
                created=record.created,
                author=None if record.author is None else self.users[record.author],
            )

    def sentence(self, page: Page) -> None:
        # Originals are stored before their copies are.
        for _purpose, of_purpose in groupby(page, key=lambda located: located[1].purpose):
            restore_sentences(self.restored, list(of_purpose), self.systems)

    def assignment(self, page: Page) -> None:
        restore_assignments(self.restored, page, self.users, self.versions)

    def _restore_account(self, record: AccountRecord) -> User:
        user = self.accounts.create(record.name, unidentified=record.unidentified)
        if record.role:
            Membership.objects.create(
                user=user,
                project=self.restored,
                role=record.role,
                most_sentences=record.most_sentences,
            )
        return user


def import_project(*, path: Path, name: str | None = None) -> Project:
    """Restore the project of an archive, under its own name or another.

    Its accounts become imported ones, who cannot sign in. All in one transaction. Raises
    InputError for an archive that is damaged, of a newer version or at odds with itself.
    """
    check_archive(path)
    restorer = Restorer(name)
    try:
        with transaction.atomic():
            for tag, page in _pages(read_archive(path)):
                restorer.restore(tag, page)
    except (DataError, IntegrityError) as problem:
        raise InputError(
            f"{path} cannot be restored, since what it holds is refused by the database: "
            f"{str(problem).splitlines()[0]}."
        ) from problem
    return restorer.restored


def _pages(records: Iterator[tuple[str, Record]]) -> Iterator[tuple[str, Page]]:
    """Yield the records with one tag a page at a time."""
    for tag, tagged in groupby(records, key=lambda located: located[1].tag):
        while page := list(islice(tagged, PAGE)):
            yield tag, page


def _restore_project(record: ProjectRecord, name: str | None) -> Project:
    new_name = record.name if name is None else name
    if Project.objects.filter(name=new_name.strip()).exists():
        raise InputError(
            f"There is a project {new_name!r} already: choose another name with --name."
        )
    if record.max_length < record.min_length:
        raise InputError("The archive's segment lengths are not in order.")
    new_name = check_new_name(new_name)
    with storing_new(new_name):
        project = Project.objects.create(
            name=new_name,
            description=record.description,
            source_language=record.source_language,
            target_language=record.target_language,
            judges_per_sentence=record.judges_per_sentence,
            queue_order=record.queue_order,
            block_size=record.block_size,
            lease_minutes=record.lease_minutes,
            show_reference=record.show_reference,
            show_neighbours=record.show_neighbours,
            intra_rate=record.intra_rate,
            inter_rate=record.inter_rate,
            control_rate=record.control_rate,
            practice_required=record.practice_required,
            min_length=record.min_length,
            max_length=record.max_length,
            state=record.state,
            provenance=record.provenance,
        )
    # The table gives every new row the time of now.
    Project.objects.filter(pk=project.pk).update(created=record.created)
    return project

"""What the crowd adds to a project's archive: the settings of pay and start links.

Participants, with their ids, and what gives access or pay are left out.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from msgspec.structs import asdict

from annotation.formats.archive_records import MembersPayRecord, StartLinkRecord
from annotation.import_export.archive_parts import Page, Part
from annotation.models import Project
from crowd.models import MembersPay, StartLink

AMOUNTS: Final = ("pay_per_hour", "pay_cap")


def _pay(project: Project) -> Iterator[MembersPayRecord]:
    for row in MembersPay.objects.filter(project=project):
        yield MembersPayRecord(**_fields(row, MembersPayRecord.__struct_fields__))


def _links(project: Project) -> Iterator[StartLinkRecord]:
    # By id, which is the order in which they are restored; databases sort names differently.
    for row in StartLink.objects.filter(project=project).order_by("pk"):
        yield StartLinkRecord(**_fields(row, StartLinkRecord.__struct_fields__))


def _fields(row: MembersPay | StartLink, names: tuple[str, ...]) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in names}
    amounts = {name: None if fields[name] is None else f"{fields[name]:.2f}" for name in AMOUNTS}
    return fields | amounts


def _restored(record: MembersPayRecord | StartLinkRecord) -> dict[str, Any]:
    fields = asdict(record)
    amounts = {name: fields[name] and Decimal(fields[name]) for name in AMOUNTS}
    return fields | amounts


def _restore_pay(project: Project) -> Callable[[Page], None]:
    def restore(page: Page) -> None:
        for _where, record in page:
            MembersPay.objects.create(project=project, **_restored(record))

    return restore


def _restore_links(project: Project) -> Callable[[Page], None]:
    """Restore links with new tokens, through which no one may start until they are turned on."""

    def restore(page: Page) -> None:
        for _where, record in page:
            StartLink.objects.create(project=project, is_on=False, **_restored(record))

    return restore


PARTS: Final = (
    Part(MembersPayRecord, _pay, _restore_pay),
    Part(StartLinkRecord, _links, _restore_links),
)

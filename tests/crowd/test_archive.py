"""Pay and start links in the archive of a project."""

from decimal import Decimal
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import Project
from crowd.models import MembersPay, Participant, StartLink
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, first_record
from tests.crowd.coming import come, make_link
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    project = make_project()
    MembersPay.objects.create(project=project, pay_per_hour=Decimal("7.5"), currency="CZK")
    link = make_link(
        project,
        sentences=2,
        pay_per_hour=Decimal(12),
        pay_cap=Decimal("0.05"),
        code="SECRET-CODE",
        address="https://app.prolific.com/submissions/complete?cc=SECRET-CODE",
    )
    come(link)
    return project


def test_limits_and_pay_come_back_byte_for_byte(project: Project, tmp_path: Path) -> None:
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    link = restored.start_links.get()
    assert (link.sentences, link.pay_per_hour, link.pay_cap) == (2, Decimal(12), Decimal("0.05"))
    assert restored.members_pay.pay_per_hour == Decimal("7.50")
    # The participant's account has its limit, and no way to sign in.
    assert restored.memberships.get().sentence_limit == 2
    assert not Participant.objects.filter(link=link).exists()


def test_what_gives_access_or_pay_is_no_part_of_an_archive(
    project: Project, tmp_path: Path
) -> None:
    before = StartLink.objects.get()
    participant = Participant.objects.get()
    path = archive_file(project, tmp_path)
    text = path.read_text()
    for secret in (before.token, "SECRET-CODE", participant.participant_id):
        assert secret not in text

    link = import_project(path=path, name="again").start_links.get()

    assert link.token != before.token
    assert (link.is_on, link.code, link.address) == (False, "", "")


@pytest.mark.parametrize("amount", ["-1.00", "1", "1.005", "1e3", "1000000.00"])
def test_an_amount_that_no_database_wrote_is_refused(
    project: Project, tmp_path: Path, amount: str
) -> None:
    path = edit_archive(
        archive_file(project, tmp_path),
        lambda lines: first_record(lines, "start_link").update(pay_cap=amount),
    )
    with pytest.raises(InputError, match="pay_cap"):
        import_project(path=path, name="again")

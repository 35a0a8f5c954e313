import gzip
import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.import_export.imports import import_judgements, import_project
from annotation.judging.control_items import control_outcomes
from annotation.judging.practice_results import feedback
from annotation.models import (
    AlignmentPriors,
    Assignment,
    Membership,
    ParallelPage,
    Placement,
    Project,
    ShownCandidate,
    SignInLink,
    Submission,
    User,
)
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    add_practice_and_controls,
    archive_file,
    export,
    imported_project,
    judged_here,
    row_counts,
    worked_on,
    write_lines,
)
from tests.installation import Installation

pytestmark = pytest.mark.django_db


def test_a_second_export_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    project = judged_here()
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()


def test_what_people_did_comes_back_byte_for_byte(tmp_path: Path) -> None:
    project = worked_on()
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    states = dict(Counter(restored.assignments.values_list("state", flat=True)))
    assert states == {"submitted": 1, "skipped": 1, "returned": 1, "open": 2}
    (skipped,) = restored.assignments.exclude(skip=None)
    assert (skipped.skip.reason, skipped.skip.comment) == ("wrong-segment", "Not a phrase.")
    drafts = restored.assignments.exclude(draft=None).values_list("state", "draft__choices")
    choices = {"1-1": "garbage", "2-1": 2}
    assert dict(drafts) == {"open": choices, "returned": choices}
    texts = restored.instructions.values_list("version", "text", "author__display_name")
    assert set(texts) == {(1, "Be *kind*.", None), (2, "Be strict.", "jana"), (3, "", "chief")}
    of_people = restored.assignments.values_list("annotator__display_name", "instructions__version")
    assert set(of_people) == {("jana", 1), ("petr", 2), ("eva", 2), ("jana", 2)}
    leases = restored.assignments.filter(state="open").values_list("lease_until", flat=True)
    assert set(leases) == set(
        project.assignments.filter(state="open").values_list("lease_until", flat=True)
    )


@pytest.mark.postgresql
def test_it_is_the_same_on_either_database(
    tmp_path: Path, installation: Installation, postgresql_url: str
) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    first = archive_file(project, tmp_path)
    again = tmp_path / "again"

    for url in (postgresql_url, f"sqlite:///{tmp_path / 'other.sqlite3'}"):
        installation.environment["DATABASE_URL"] = url
        installation.manage("migrate", "-v0")
        installation.manage("import_project", str(first))
        installation.manage("export_project", project.name, str(again), "--format", "archive")
        assert again.read_bytes() == first.read_bytes()


def test_all_revisions_come_back_and_the_last_one_holds(tmp_path: Path) -> None:
    project = worked_on()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    submissions = Submission.objects.filter(assignment__project=restored).order_by("number")
    assert [(made.current, made.active_seconds, made.token) for made in submissions] == [
        (False, 12.25, None),
        (False, 12.25, None),
        (True, 12.25, None),
    ]
    assert [ranks_of(made) for made in submissions] == [
        {"starý dům": 1, "stará dům": 1, "dům": 1, "u řeky": 1, "blízko řeky": 1},
        {"starý dům": 1, "stará dům": 1, "dům": None, "u řeky": 1, "blízko řeky": 1},
        {"starý dům": 1, "stará dům": 1, "dům": None, "u řeky": 2, "blízko řeky": 1},
    ]
    assert export(restored, tmp_path, "json") == export(project, tmp_path, "json")


def ranks_of(submission: Submission) -> dict[str, int | None]:
    placements = Placement.objects.filter(judgement__submission=submission)
    return dict(placements.values_list("candidate__text", "rank"))


def test_practice_and_control_come_back_byte_for_byte(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    assert (restored.control_rate, restored.practice_required) == (1.0, True)
    copies = restored.sentences.exclude(purpose="judge").order_by("pk")
    assert list(copies.values_list("purpose", "number", "copy_of__purpose", "retired")) == [
        ("practice", 1, "judge", False),
        ("control", 1, "judge", False),
        ("control", 2, "judge", True),
    ]
    assert copies[0].copy_of == restored.sentences.get(purpose="judge", number=3)
    assert outcomes(restored) == outcomes(project) != []
    (mine, yours) = (feedback(assignment_for_practice(of)) for of in (restored, project))
    assert mine.segments == yours.segments
    assert mine.segments[0].explanation == "Houses are *masculine*."


def outcomes(project: Project) -> list[tuple[str, int | None, int | None, bool]]:
    return [
        (outcome.kind, outcome.original, outcome.changed, outcome.passed)
        for outcome in control_outcomes(project)
    ]


def assignment_for_practice(project: Project) -> Assignment:
    return project.assignments.get(kind="practice", state="submitted")


def test_every_table_has_as_many_rows_again(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    SignInLink.objects.create(
        user=User.objects.get(username="jana"), token_hash="x", expires=timezone.now()
    )
    AlignmentPriors.objects.create(project=project, aligner="eflomal", version="2", data=b"x")
    ParallelPage.objects.create(project=project, number=0, sources=b"x", targets=b"y")
    before = row_counts()

    import_project(path=archive_file(project, tmp_path), name="again")

    after = row_counts()
    # What alignment works with is not archived: where it is missing, it is learned anew.
    for name in ("SignInLink", "AlignmentPriors", "ParallelPage"):
        assert after.pop(name) == before.pop(name) == 1
    for name in ("Job", "Chunk"):
        assert after.pop(name) == before.pop(name) == 0
    assert all(before.values())
    assert after == {name: 2 * count for name, count in before.items()}


def test_another_name_changes_only_the_name(tmp_path: Path) -> None:
    project = judged_here()
    first = archive_file(project, tmp_path)

    call_command("import_project", str(first), "--name", "again")

    lines = archive_file(Project.objects.get(name="again"), tmp_path).read_text().splitlines()
    was = first.read_text().splitlines()
    assert lines[1] == was[1].replace('"houses"', '"again"')
    assert lines[2:-1] == was[2:-1]


def test_limits_of_members_come_back(tmp_path: Path) -> None:
    project = judged_here()
    Membership.objects.filter(project=project, user__username="petr").update(most_sentences=12)
    first = archive_file(project, tmp_path)

    restored = import_project(path=first, name="again")

    limits = restored.memberships.values_list("user__display_name", "most_sentences")
    assert dict(limits) == {"jana": None, "petr": 12}


def test_an_open_assignment_keeps_its_order(tmp_path: Path) -> None:
    project = judged_here()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    def order(of: Project) -> list[Any]:
        shown = ShownCandidate.objects.filter(assignment__project=of, assignment__state="open")
        return list(shown.order_by("candidate_id").values_list("candidate__text", "position"))

    assert order(restored) == order(project) != []


def test_people_come_back_as_accounts_that_cannot_sign_in(tmp_path: Path) -> None:
    project = judged_here()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    jana, petr = restored.imported_accounts.order_by("pk")
    assert (jana.shown_name, petr.shown_name) == ("jana", "petr")
    assert not any([jana.is_active, jana.is_superuser, jana.is_staff, jana.email])
    assert not jana.has_usable_password()
    assert Membership.objects.get(user=jana).role == Membership.Role.ADMINISTRATOR
    assert Membership.objects.get(user=petr).project == restored
    # Here, jana is still herself.
    assert User.objects.get(username="jana").is_superuser
    assert set(restored.assignments.values_list("annotator", flat=True)) == {jana.pk}


def test_there_are_no_secrets_in_it(tmp_path: Path) -> None:
    project = judged_here()
    submitted = Assignment.objects.get(state="submitted")

    text = archive_file(project, tmp_path).read_text()

    password = User.objects.get(username="jana").password
    assert password
    for secret in (
        password,
        "hash-of-a-token",
        "jana@example.org",
        str(submitted.submissions.get().token),
    ):
        assert secret not in text


def test_judgements_made_elsewhere_come_back(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_judgements(project=project, path=write_lines(tmp_path / "j", [JUDGEMENT]))
    first = archive_file(project, tmp_path)

    restored = import_project(path=first, name="again")

    assert export(restored, tmp_path, "json") == export(project, tmp_path, "json")
    assert restored.provenance["imports"] == project_imports(project)
    assert restored.imported_accounts.get().display_name == "jana"


def project_imports(project: Project) -> Any:
    project.refresh_from_db()
    return project.provenance["imports"]


def test_a_gzipped_archive_comes_back(tmp_path: Path) -> None:
    project = judged_here()
    path = tmp_path / "a.gz"
    call_command("export_project", "houses", str(path), "--format", "archive")

    restored = import_project(path=path, name="again")

    assert gzip.decompress(path.read_bytes()) == archive_file(project, tmp_path).read_bytes()
    assert restored.sentences.count() == project.sentences.count()


VERSION_1 = Path(__file__).parent / "archive_version_1.jsonl"
VERSION_2 = Path(__file__).parent / "archive_version_2.jsonl"
VERSION_3 = Path(__file__).parent / "archive_version_3.jsonl"


def test_an_archive_of_version_1_comes_back(tmp_path: Path) -> None:
    restored = import_project(path=VERSION_1)

    restored.refresh_from_db()
    (instructions,) = restored.instructions.all()
    assert (instructions.version, instructions.text) == (1, "Judge *well*.")
    assert (instructions.created, instructions.author) == (restored.created, None)
    rows = restored.assignments.order_by("pk").values_list(
        "annotator__display_name", "kind", "state", "slot", "submissions__current"
    )
    assert list(rows) == [
        ("jana", "first", "submitted", 1, True),
        ("jana", "first", "submitted", 1, True),
        ("jana", "intra", "submitted", None, True),
        ("petr", "inter", "submitted", None, True),
        ("eva", "inter", "open", None, None),
    ]
    for assignment in restored.assignments.filter(state="submitted"):
        submission = assignment.submissions.get()
        assert (submission.number, submission.created) == (1, assignment.submitted)
        assert submission.judgements.count() == 2
    assert json.loads(export(restored, tmp_path, "json"))["1,the old house"] == [
        {"starý dům": 100, "stará dům": 1, "dům": 1},
        {"starý dům": 1, "stará dům": 1, "dům": 1},
    ]
    # Nobody can sign in as eva: what she had open goes back to the others in the end.
    left_open = restored.assignments.get(state="open")
    assert left_open.lease_until == left_open.created + timedelta(hours=4)


def test_an_archive_of_version_2_comes_back() -> None:
    restored = import_project(path=VERSION_2)

    assert (restored.control_rate, restored.practice_required) == (0.0, False)
    assert set(restored.sentences.values_list("purpose", "copy_of", "retired")) == {
        ("judge", None, False)
    }
    states = Counter(restored.assignments.values_list("state", flat=True))
    assert states == {"submitted": 1, "skipped": 1, "returned": 1, "open": 2}
    revised = Submission.objects.get(assignment__project=restored, current=True)
    assert ranks_of(revised)["u řeky"] == 2
    assert (revised.number, ranks_of(revised)["dům"]) == (3, None)


def test_an_archive_of_version_3_comes_back() -> None:
    restored = import_project(path=VERSION_3)

    purposes = Counter(restored.sentences.values_list("purpose", flat=True))
    assert purposes == {"judge": 5, "practice": 1, "control": 2}
    roles = restored.memberships.values_list("user__display_name", "role", "most_sentences")
    names = ("jana", "petr", "eva", "ota", "iva")
    assert set(roles) == {(name, "annotator", None) for name in names}
    assert [outcome[0] for outcome in outcomes(restored)] == ["degraded", "twin"]


@pytest.mark.parametrize("version", [VERSION_1, VERSION_2, VERSION_3])
def test_an_archive_of_another_version_becomes_one_of_today(tmp_path: Path, version: Path) -> None:
    restored = import_project(path=version)
    first = archive_file(restored, tmp_path)

    again = import_project(path=first, name="again")

    renamed = first.read_text().replace(restored.name, "again").splitlines()
    assert archive_file(again, tmp_path).read_text().splitlines()[:-1] == renamed[:-1]
    assert json.loads(first.read_text().splitlines()[0]) == {"segranks_archive": 4}

"""Deletion of a project, by function and by command."""

import os
import pty
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from annotation.import_export.judgements_import import import_judgements
from annotation.judging.assignment import skip
from annotation.judging.control_items import make_controls
from annotation.models import (
    AlignmentPriors,
    Assignment,
    Candidate,
    Edit,
    Job,
    Judgement,
    Media,
    MediaPlay,
    Membership,
    ParallelPage,
    Placement,
    Project,
    ProjectCounts,
    Segment,
    Sentence,
    SentenceSummary,
    Settlement,
    SignInLink,
    StoredPreview,
    Submission,
    SummarisedProject,
    Upload,
    User,
)
from annotation.projects.deletion import (
    LEASE,
    continue_deletion,
    delete_project,
    request_deletion,
)
from annotation.projects.instructions import write_instructions
from evaluation.findings.options import ReportOptions
from evaluation.models import StoredReport
from evaluation.services.reports import compute as compute_report
from evaluation.services.reports import report_of
from people.invitations import invite
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    add_batch,
    add_practice,
    add_practice_and_controls,
    draft,
    imported_project,
    row_counts,
    worked_on,
    write_lines,
)
from tests.crowd.coming import make_link, path_of
from tests.factories import assign_next, make_annotator, make_project
from tests.jobs import run_deletions
from tests.security.world import make_delivery
from webhooks.deliveries import due_deliveries
from webhooks.models import Delivery

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def full_project(folder: Path, name: str = "house") -> Project:
    """Return a project with rows in every table."""
    project = imported_project(folder, name)
    import_judgements(project=project, path=write_lines(folder / "j", [JUDGEMENT]))
    assignment = project.assignments.get()
    candidate = Candidate.objects.filter(
        segment__judgements__submission__assignment=assignment
    ).earliest("pk")
    assignment.shown_candidates.create(candidate=candidate, position=1)
    assignment.shown_systems.create(system=project.systems.earliest("pk"), column=1)
    placement = Placement.objects.filter(judgement__submission__assignment=assignment).earliest(
        "pk"
    )
    placement.error_spans.create(start=0, end=1, severity="minor")
    placement.further_scores.create(scale=2, rank=1, ranks_offered=5)
    Edit.objects.create(placement=placement, text="x")
    sheet = assignment.sentence
    sheet.chosen_systems.create(system=project.systems.earliest("pk"), place=1, probability=0.5)
    settlement = Settlement.objects.create(sheet=sheet, created=timezone.now())
    settlement.placements.create(candidate=candidate, rank=1, ranks_offered=2)
    origin = project.given_origins.create(name="x", created=timezone.now())
    origin.errors.create(candidate=candidate)
    project.assignments.update(given=origin)
    job = Job.objects.create(project=project, state="done")
    job.chunks.create(stage="tokens", first=1, last=2)
    AlignmentPriors.objects.create(project=project, aligner="eflomal", version="2", data=b"x")
    ParallelPage.objects.create(project=project, number=0, sources=b"x", targets=b"y")
    user = make_annotator(project)
    # The next sentence is to be the one without judgements.
    project.intra_rate = project.inter_rate = 0
    project.save()
    write_instructions(project=project, author=user, text="Be kind.")
    skipped = assign_next(user, project)
    skip(annotator=user, project=project, assignment_id=skipped.pk, reason="unclear")
    draft(skipped)
    skipped.sentence.reservations.create(annotator=user, created=timezone.now())
    SentenceSummary.objects.create(sentence=skipped.sentence, skips=1)
    SummarisedProject.objects.create(project=project)
    ProjectCounts.objects.create(project=project, begun=timezone.now())
    make_controls(project=project, count=1)
    add_batch(project, user)
    add_practice(project, 1, {})
    SignInLink.objects.create(user=user, token_hash=name, expires=timezone.now())
    upload = Upload.objects.create(owner=user, project=project)
    StoredPreview.objects.create(upload=upload, owner=user, state="failed")
    file = {"name": "1.wav", "sha256": "0" * 64}
    Media.objects.create(project=project, line=1, media_type="audio/wav", size=1, **file)
    submission = assignment.submissions.get()
    MediaPlay.objects.create(submission=submission, seconds=1.5, plays=2, **file)
    return project


def test_a_project_is_deleted_with_all_its_rows(tmp_path: Path) -> None:
    project = full_project(tmp_path)
    assert all(row_counts().values())

    delete_project(project)

    # The annotator's own account stays, with its sign-in link.
    left = {name: count for name, count in row_counts().items() if count}
    assert left == {"User": 1, "SignInLink": 1}
    assert User.objects.get().username == "jana"


def test_another_project_keeps_all_its_rows(tmp_path: Path) -> None:
    full_project(tmp_path, "kept")
    before = row_counts()
    project = full_project(tmp_path, "deleted")

    delete_project(project)

    # Both projects have the same annotator, with a link from each.
    assert row_counts() == before | {"SignInLink": 2}


def test_judgements_and_drafts_are_deleted() -> None:
    project = worked_on()
    add_practice_and_controls(project)

    delete_project(project)

    assert {name for name, count in row_counts().items() if count} == {"User"}


@pytest.mark.parametrize("model", [Sentence, Segment, Candidate, Assignment, Submission, Judgement])
def test_the_database_keeps_rows_that_others_refer_to(model: type[Model]) -> None:
    worked_on()
    with transaction.atomic():
        model._default_manager.all().delete()
        with pytest.raises(IntegrityError):
            connection.check_constraints()
        transaction.set_rollback(True)


def test_more_than_a_page_of_copies_is_deleted() -> None:
    project = make_project(sentences=120)
    make_controls(project=project, count=110)
    add_practice(project, 1, {})

    delete_project(project)

    assert not any(row_counts().values())


def addresses_of(project: Project) -> list[str]:
    link = make_link(project)
    invitation = invite(project=project, by=make_annotator(project, "boss", "owner"), role="owner")
    return [
        f"/projects/{project.pk}/judge/",
        f"/projects/{project.pk}/settings/",
        f"/api/v1/projects/{project.pk}/",
        f"/admin/annotation/project/{project.pk}/change/",
        path_of(link),
        invitation.removeprefix("http://127.0.0.1:8000"),
    ]


def test_a_project_is_gone_everywhere_before_a_worker_deletes_it(
    tmp_path: Path, client: Client, settings: Any
) -> None:
    settings.WEBHOOK_HOSTS = ["hooks.example"]
    project = full_project(tmp_path)
    addresses = addresses_of(project)
    root = User.objects.create_superuser("root")
    Membership.objects.create(user=root, project=project, role="owner")
    client.force_login(root)
    for address in addresses:
        assert client.get(address).status_code == 200, address
    make_delivery(project)
    Delivery.objects.update(state=Delivery.State.WAITING, ended=None)
    assert due_deliveries()
    report = report_of(project, ReportOptions())

    request_deletion(project)

    for address in addresses:
        assert client.get(address).status_code in (302, 404), address
    assert "house" not in client.get("/").content.decode()
    assert client.get("/api/v1/projects/").json()["results"] == []
    assert not Assignment.objects.filter(state="open").exists()
    assert due_deliveries() == []
    compute_report(report.pk)
    assert StoredReport.objects.get().state == StoredReport.State.WAITING
    with pytest.raises(CommandError, match="There is no project"):
        call_command("export_project", "house", str(tmp_path / "out"), "--format", "csv")
    # Its name is free.
    again = imported_project(tmp_path, "house")
    run_deletions()
    assert Project.with_hidden.get() == again


def test_a_killed_worker_is_replaced_when_its_lease_expires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.projects.deletion.SENTENCES_PER_PAGE", 1)
    project = full_project(tmp_path)
    request_deletion(project)
    pages = iter([False, True])
    continue_deletion(project.pk, lambda: next(pages))
    left = row_counts()["Sentence"]
    assert left > 0
    # Another worker is at work.
    Project.with_hidden.update(delete_after=timezone.now() + LEASE)
    continue_deletion(project.pk)
    assert row_counts()["Sentence"] == left
    Project.with_hidden.update(delete_after=timezone.now())
    continue_deletion(project.pk)
    assert not Project.with_hidden.exists()
    continue_deletion(project.pk)


def test_a_lost_lease_ends_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.projects.deletion.SENTENCES_PER_PAGE", 1)
    project = full_project(tmp_path)

    def take_over() -> bool:
        Project.with_hidden.update(delete_after=timezone.now() + 2 * LEASE)
        return False

    request_deletion(project)
    before = row_counts()["Sentence"]
    continue_deletion(project.pk, take_over)
    assert row_counts()["Sentence"] == before


def test_the_name_of_a_visible_project_is_unique(client: Client) -> None:
    project, other = make_project("house"), make_project("castle")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_project("house")
    client.force_login(User.objects.create_superuser("root"))
    address = f"/admin/annotation/project/{other.pk}/change/"
    form = client.get(address).context["adminform"].form.initial
    answer = client.post(address, form | {"name": project.name, "description": ""})
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors.keys() == {"name"}


def test_without_a_terminal_yes_is_needed() -> None:
    make_project()

    with pytest.raises(CommandError, match="'houses' is not deleted: add --yes"):
        call_command("delete_project", "houses")

    assert Project.objects.exists()


def test_with_yes_the_project_is_deleted() -> None:
    make_project()

    call_command("delete_project", "houses", "--yes")

    assert not Project.objects.exists()


def test_a_project_with_a_worker_is_not_deleted() -> None:
    project = make_project()
    job = Job.objects.create(project=project, state="running")
    now = timezone.now()
    later = now + timedelta(minutes=1)
    running = {"state": "running", "worker": "w", "started": now, "lease_until": later}
    job.chunks.create(stage="tokens", first=1, last=1, **running)
    with pytest.raises(CommandError, match="A worker prepares the project"):
        call_command("delete_project", "houses", "--yes")
    assert Project.objects.exists()
    job.chunks.update(lease_until=timezone.now() - timedelta(minutes=1))
    call_command("delete_project", "houses", "--yes")
    assert not Project.objects.exists()


def test_an_unknown_project_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no project 'none'"):
        call_command("delete_project", "none", "--yes")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], int]]:
    """A function that types a line on the terminal that is the standard input."""
    keyboard, terminal = pty.openpty()
    with os.fdopen(terminal) as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        yield lambda line: os.write(keyboard, f"{line}\n".encode())
    os.close(keyboard)


def test_on_a_terminal_the_name_has_to_be_typed(
    typed: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(sentences=2)

    typed("Houses")
    with pytest.raises(CommandError, match="not the project's name: nothing is deleted"):
        call_command("delete_project", "houses")

    question = f"deletes the project {project.pk} 'houses' with 2 sentences and 0 assignments"
    assert question in capsys.readouterr().out
    assert Project.objects.exists()

    typed("houses")
    call_command("delete_project", "houses")

    assert not Project.objects.exists()

"""Anonymisation deletes what identifies a user, and changes no result."""

import json
from datetime import timedelta
from typing import Any, cast

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db.models import ForeignObjectRel
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from annotation.import_export.export_formats import export_project
from annotation.models import Assignment, Instructions, Membership, Placement, Project, User
from annotation.projects import administration
from api.models import StoredAnswer, Token
from crowd.anonymisation import anonymise
from crowd.models import Participant
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.report_kinds import make_report
from operations.backups import backup
from people.models import Invitation
from tests.crowd.coming import come, judge, user_of
from tests.crowd.traces import TRACES, jana, project, uploads
from tests.factories import assign_next, make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["jana", "project", "uploads"]

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def everything() -> str:
    """Return all rows of the database as text; session data are encoded."""
    return b"".join(backup()).decode()


def archive(project: Project, tmp_path) -> str:
    to = tmp_path / "archive.jsonl"
    export_project(project=project, format_name="archive", to=to)
    return str(to.read_text())


def findings(project: Project) -> dict[str, Any]:
    """Return figures of the report, without the names of annotators."""
    data = to_json(make_report(project, ReportOptions(resamples=100)).data)
    for row in (*data["agreement"]["annotators"], *data["agreement"]["pairs"]):
        row.update(dict.fromkeys(row.keys() & {"annotator", "other"}))
    return {key: data[key] for key in ("judged", "rankings", "significance", "agreement")}


def test_nothing_that_identifies_the_user_is_left(
    project, jana, tmp_path, django_capture_on_commit_callbacks
):
    before = everything()
    assert [trace for trace in TRACES if trace not in before] == []
    assert len(sessions_of(jana)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        name = anonymise(jana, typed_name="jananovakova")
    assert name == f"annotator {jana.pk}"
    after = everything()
    assert [trace for trace in TRACES if trace in after] == []
    assert sessions_of(jana) == []
    assert not list((tmp_path).rglob("file"))
    jana.refresh_from_db()
    assert (jana.is_active, jana.has_usable_password()) == (False, False)
    assert not jana.memberships.exists()
    assert not jana.sign_in_links.exists()


def test_invitations_tokens_and_stored_answers_are_deleted(project, jana):
    petr = User.objects.get(username="petr")
    to_her, by_use, by_her, to_others = (
        Invitation.objects.create(
            project=project, role="annotator", token_hash=str(number), use_limit=1,
            expires=timezone.now(), created_by=jana if number == 2 else petr, email=email,
            note="For Zdislava V.",
        )
        for number, email in enumerate(("ZV@example.org", "old@example.org", "", "eva@example.org"))
    )  # fmt: skip
    Invitation.objects.filter(pk=to_others.pk).update(note="For Eva")
    by_use.arrivals.create(user=jana)
    StoredAnswer.objects.create(user=jana, key="k", fingerprint="f", body="Zdislava V.")
    Token.objects.create(user=jana, name="kolega-Emil", token_hash="t", expires=in_a_week())
    anonymise(jana, typed_name="jananovakova")
    after = everything()
    traces = ("Zdislava", "ZV@example.org", "old@example.org", "kolega-Emil")
    assert [trace for trace in traces if trace in after] == []
    assert not Invitation.objects.filter(pk=by_her.pk).exists()
    to_her.refresh_from_db()
    assert to_her.ended
    assert Invitation.objects.filter(email="eva@example.org", note="For Eva", ended=None).exists()


def test_no_table_keeps_rows_of_the_account(project, jana):
    """A new table with a key to accounts must be added to a receiver of `anonymised`."""
    anonymise(jana, typed_name="jananovakova")
    kept = {
        relation.related_model
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel)
        and cast(Any, relation.related_model)
        ._base_manager.filter(**{relation.field.name: jana})
        .exists()
    }
    assert kept == {Assignment, Instructions, Participant}


def in_a_week():
    return timezone.now() + timedelta(days=7)


def test_log_entries_about_memberships_are_deleted(project, jana):
    root = User.objects.get(username="root")
    membership = jana.memberships.get()
    about = {"user": root, "action_flag": CHANGE}
    of_membership = ContentType.objects.get_for_model(Membership)
    of_project = ContentType.objects.get_for_model(Project)
    User.objects.filter(pk=jana.pk).update(username="žofie")
    sent = [{"changed": {"name": "membership", "object": "žofie, houses: annotator"}}]
    LogEntry.objects.create(
        content_type=of_membership, object_id=str(membership.pk),
        object_repr="žofie, houses: annotator", **about,
    )  # fmt: skip
    LogEntry.objects.create(
        content_type=of_project, object_id="1", object_repr="houses",
        change_message=json.dumps(sent), **about,
    )  # fmt: skip
    kept = LogEntry.objects.create(
        content_type=of_membership, object_id="0", object_repr="žofie2, houses: annotator", **about
    )
    jana.refresh_from_db()
    anonymise(jana, typed_name="žofie")
    assert list(LogEntry.objects.all()) == [kept]


def sessions_of(user: User) -> list[object]:
    return [
        session
        for session in Session.objects.all()
        if session.get_decoded().get("_auth_user_id") == str(user.pk)
    ]


def test_judgements_and_results_do_not_change(project, jana):
    placements = list(Placement.objects.order_by("pk").values())
    rows = list(Assignment.objects.order_by("pk").values("annotator", "kind", "submitted"))
    found = findings(project)
    assert found["agreement"]
    anonymise(jana, typed_name="jananovakova")
    assert list(Placement.objects.order_by("pk").values()) == placements
    kept = Assignment.objects.order_by("pk").values("annotator", "kind", "submitted")
    assert list(kept) == rows
    assert findings(project) == found


def test_later_exports_contain_the_pseudonym_only(project, jana, tmp_path, client):
    assert "Zdislava" in archive(project, tmp_path)
    anonymise(jana, typed_name="jananovakova")
    for made in (archive(project, tmp_path), payment_of(project, client)):
        assert f"annotator {jana.pk}" in made
        assert [trace for trace in TRACES if trace in made] == []


def payment_of(project: Project, client: Client) -> str:
    client.force_login(User.objects.get(username="root"))
    return str(client.get(reverse("payment-csv", args=[project.pk])).getvalue().decode())


def test_failed_sign_ins_under_any_name_of_the_person_are_deleted(project, jana):
    petr = User.objects.get(username="petr")
    User.objects.filter(pk=petr.pk).update(display_name="Zdislava Vopičková", email="p@b.org")
    typed = (
        "jananovakova", "ZV@example.org", "zv@new.example", "Zdislava V.", "zdislava vopičková",
        "Vopičková Zdislava", "petr", "p@b.org", "Zdislava",
    )  # fmt: skip
    for name in typed:
        AccessAttempt.objects.create(username=name, ip_address="192.0.2.1", failures_since_start=9)
    User.objects.filter(pk=jana.pk).update(first_name="Zdislava")
    anonymise(jana, typed_name="jananovakova")
    kept = set(AccessAttempt.objects.values_list("username", flat=True))
    assert kept == {"petr", "p@b.org", "Zdislava"}


def test_the_failures_of_another_account_are_kept(project, jana):
    """Else a name that anyone can choose would end the lock-out of its account."""
    User.objects.filter(pk=jana.pk).update(display_name="Petr", first_name="petr", last_name="")
    AccessAttempt.objects.create(username="petr", ip_address="192.0.2.1", failures_since_start=9)
    anonymise(jana, typed_name="jananovakova")
    assert AccessAttempt.objects.filter(username="petr").exists()


def test_the_note_of_the_link_by_which_the_person_came_is_deleted(project, jana):
    petr = User.objects.get(username="petr")
    links = [
        Invitation.objects.create(
            project=project, role="annotator", token_hash=str(number), use_limit=30, used=1,
            expires=in_a_week(), created_by=petr, note=f"For Zdislava V. ({number})",
        )
        for number in range(2)
    ]  # fmt: skip
    links[0].arrivals.create(user=jana)
    anonymise(jana, typed_name="jananovakova")
    assert [(link.note, link.ended) for link in Invitation.objects.order_by("pk")] == [
        ("", None),
        ("For Zdislava V. (1)", None),
    ]


def test_the_open_sentence_is_free_at_once():
    project = make_project(sentences=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    given = assign_next(jana, project)
    anonymise(jana, typed_name="jana")
    assert assign_next(petr, project).sentence == given.sentence


def test_a_participant_who_returns_gets_a_new_account(project, jana):
    link = jana.participant.link
    browser = Client()
    User.objects.filter(pk=jana.pk).update(username="jananovakova")
    come(link, client=browser)
    anonymise(jana, typed_name="jananovakova")
    answer = browser.get(reverse("judge", args=[project.pk]))
    assert answer.headers["Location"].startswith(reverse("sign-in"))
    come(link)
    assert user_of(link) != jana


def test_the_user_name_must_be_typed(project, jana):
    before = everything()
    for wrong in ("", "JANANOVAKOVA", "jananovakov"):
        with pytest.raises(NotPossible):
            anonymise(jana, typed_name=wrong)
    body = [line for line in before.splitlines() if '"made"' not in line]
    after = [line for line in everything().splitlines() if '"made"' not in line]
    assert after[:-1] == body[:-1]


def test_superusers_and_last_owners_are_refused(project):
    owner = make_annotator(project, "olga", "owner")
    with pytest.raises(NotPossible):
        anonymise(owner, typed_name="olga")
    second = make_annotator(project, "otto", "owner")
    User.objects.filter(pk=second.pk).update(is_active=False)
    with pytest.raises(NotPossible):
        anonymise(owner, typed_name="olga")
    User.objects.filter(pk=second.pk).update(is_active=True)
    assert anonymise(owner, typed_name="olga") == f"annotator {owner.pk}"
    root = User.objects.create_superuser("root")
    with pytest.raises(NotPossible):
        anonymise(root, typed_name="root")


def test_a_taken_name_is_avoided(project):
    jana = make_annotator(project)
    User.objects.create(username=f"anonymous-{jana.pk}", display_name=f"annotator {jana.pk}")
    assert anonymise(jana, typed_name="jana") == f"annotator {jana.pk}-2"
    jana.refresh_from_db()
    assert jana.username == f"anonymous-{jana.pk}-2"


# --- who may anonymise whom --------------------------------------------------------------------


def press(client: Client, project: Project, user: User, typed: str) -> int:
    path = reverse("anonymise-member", args=[project.pk, user.pk])
    return client.post(path, {"username": typed}).status_code


def test_an_owner_anonymises_members_of_their_project_only(client, project):
    client.force_login(make_annotator(project, "olga", "owner"))
    jana = make_annotator(project)
    other = make_project("castles")
    make_annotator(other, "jana")
    path = reverse("anonymise-member", args=[project.pk, jana.pk])
    assert client.get(path).context["refused"]
    assert press(client, project, jana, "jana") == 400
    # Nor if they judged elsewhere and left.
    judge(jana, other, 1)
    Membership.objects.filter(project=other).delete()
    assert press(client, project, jana, "jana") == 400
    Assignment.objects.filter(project=other).update(project=project)
    assert press(client, project, jana, "wrong") == 400
    assert User.objects.filter(username="jana").exists()
    assert press(client, project, jana, "jana") == 302
    assert not User.objects.filter(username="jana").exists()


def test_an_owner_cannot_anonymise_an_account_that_was_there_before(client, project):
    eva = User.objects.create_user("eva")
    olga = make_annotator(project, "olga", "owner")
    administration.set_role(project=project, by=olga, username="eva", role="annotator")
    client.force_login(olga)
    assert press(client, project, eva, "eva") == 400
    assert User.objects.filter(username="eva", is_active=True).exists()


def test_an_owner_cannot_anonymise_an_account_with_a_password(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(make_annotator(project, "olga", "owner"))
    assert press(client, project, jana, "jana") == 400
    assert User.objects.filter(username="jana", is_active=True).exists()


def test_an_owner_cannot_anonymise_themselves_nor_a_superuser(client, project):
    olga = make_annotator(project, "olga", "owner")
    client.force_login(olga)
    assert press(client, project, olga, "olga") == 400
    root = User.objects.create_superuser("root")
    Membership.objects.create(user=root, project=project, role="annotator")
    assert press(client, project, root, "root") == 400
    assert press(client, project, User.objects.create(username="stranger"), "stranger") == 404


def test_a_superuser_anonymises_a_member_of_several_projects(client, project):
    client.force_login(User.objects.create_superuser("root"))
    jana = make_annotator(project)
    make_annotator(make_project("castles"), "jana")
    assert press(client, project, jana, "jana") == 302
    assert not Membership.objects.filter(user=jana).exists()


def test_a_user_anonymises_their_own_account(client, project):
    jana = make_annotator(project)
    jana.set_unusable_password()
    jana.save()
    judge(jana, project, 1)
    client.force_login(jana)
    assert "jana" in client.get(reverse("my-data")).content.decode()
    path = reverse("anonymise-me")
    answer = client.post(path, {"username": "petr"})
    assert answer.status_code == 400
    client.post(path, {"username": "jana"})
    assert client.get(reverse("projects")).status_code == 302
    assert User.objects.filter(username="petr").exists()


def test_anonymising_ones_own_account_needs_its_password(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(jana)
    assert 'name="password"' in client.get(reverse("my-data")).content.decode()
    form = {"username": "jana"}
    for wrong in ({}, {"password": "wrong"}):
        answer = client.post(reverse("anonymise-me"), form | wrong)
        assert answer.status_code == 400
    assert User.objects.filter(username="jana").exists()
    assert (
        client.post(reverse("anonymise-me"), form | {"password": "nine-quiet-rivers"}).status_code
        == 302
    )
    assert not User.objects.filter(username="jana").exists()


def test_the_command_needs_confirmation(project, capsys):
    jana = make_annotator(project)
    for wrong in (["stranger", "--yes"], ["jana"]):
        with pytest.raises(CommandError):
            call_command("anonymise_user", *wrong)
    assert User.objects.filter(username="jana").exists()
    call_command("anonymise_user", "jana", "--yes")
    assert f"annotator {jana.pk}" in capsys.readouterr().out
    assert not User.objects.filter(username="jana").exists()

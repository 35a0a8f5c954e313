"""A person becomes unknown: nothing says who it was, and no finding changes."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.accounts import sign_in_path
from annotation.assignment import skip
from annotation.drafts import save_draft
from annotation.exporting import export_project
from annotation.instructions import write_instructions
from annotation.models import Assignment, Membership, Placement, Project, Upload, User
from annotation.showing import cards_of
from annotation.uploads import folders
from api.models import StoredAnswer, Token
from crowd.anonymising import NotPossible, anonymise
from crowd.models import Participant
from evaluation.making_reports import make_report
from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from operations.backups import backup
from people.models import Invitation, NewAddress
from tests.crowd.coming import PID, come, judge, make_link, next_of, user_of
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
# Whatever says who she was; no word is a part of anything else.
TRACES = (
    "jananovakova",
    "Zdislava",
    "Vopičková",
    "zv@example.org",
    "zv@new.example",
    "kolega-Emil",
    PID,
    "visit-77",
)


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path


@pytest.fixture
def project() -> Project:
    project = make_project(sentences=8, numbered=True, judges_per_sentence=2)
    judge(make_annotator(project, "petr"), project, 6)
    return project


@pytest.fixture
def jana(project: Project) -> User:
    """Somebody who has left traces wherever one can."""
    link = make_link(project)
    client = come(link)
    Participant.objects.update(visit="visit-77")
    User.objects.filter(pk=user_of(link).pk).update(
        username="jananovakova", display_name="Zdislava V.", first_name="Zdislava",
        last_name="Vopičková", email="zv@example.org", last_login=timezone.now(),
    )  # fmt: skip
    jana = user_of(link)
    assert client.get(reverse("judge", args=[project.pk])).status_code == 200
    judge(jana, project, 5)
    given = next_of(jana, project)
    skip(
        annotator=jana, project=project, assignment_id=given.pk, reason="other",
        comment="That is by kolega-Emil.",
    )  # fmt: skip
    given = next_of(jana, project)
    save_draft(
        annotator=jana, project=project, assignment_id=given.pk, base=0,
        choices={next(iter(cards_of(given))): 1},
    )  # fmt: skip
    write_instructions(project=project, author=jana, text="Be kind.")
    sign_in_path(jana)
    upload = Upload.objects.create(owner=jana, settings={"name": "kolega-Emil"})
    (folders.folder_of(upload) / "file").write_text("x")
    LogEntry.objects.create(
        user=User.objects.create_superuser("root"), action_flag=CHANGE,
        content_type=ContentType.objects.get_for_model(User), object_id=str(jana.pk),
        object_repr="jananovakova",
    )  # fmt: skip
    NewAddress.objects.create(
        user=jana, email="zv@new.example", token_hash="a", expires=timezone.now()
    )
    options = ReportOptions(resamples=20)
    made = make_report(project, options)
    StoredReport.objects.create(
        project=project, key=options.key, options=options.as_json(), made=timezone.now(),
        data=made.data,
    )  # fmt: skip
    return jana


def everything() -> str:
    """Return all that the database holds, but what sessions hide in their own way."""
    return b"".join(backup()).decode()


def archive(project: Project, tmp_path) -> str:
    to = tmp_path / "archive.jsonl"
    export_project(project=project, format_name="archive", to=to)
    return str(to.read_text())


def findings(project: Project) -> dict[str, Any]:
    data = make_report(project, ReportOptions(resamples=50)).data
    return {key: data[key] for key in ("judged", "rankings", "significance", "agreement")}


def test_nothing_that_says_who_it_was_is_left(
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


def test_invitations_tokens_and_answers_of_hers_go_too(project, jana):
    petr = User.objects.get(username="petr")
    to_her, by_use, by_her, to_others = (
        Invitation.objects.create(
            project=project, role="annotator", token_hash=str(number), most_uses=1,
            expires=timezone.now(), made_by=jana if number == 2 else petr, email=email,
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
    assert to_her.revoked
    assert Invitation.objects.filter(email="eva@example.org", note="For Eva", revoked=None).exists()


def in_a_week():
    return timezone.now() + timedelta(days=7)


def test_what_admin_noted_of_her_memberships_goes_too(project, jana):
    root = User.objects.get(username="root")
    membership = jana.memberships.get()
    about = {"user": root, "action_flag": CHANGE}
    of_membership = ContentType.objects.get_for_model(Membership)
    of_project = ContentType.objects.get_for_model(Project)
    User.objects.filter(pk=jana.pk).update(username="žofie")
    told = [{"changed": {"name": "membership", "object": "žofie, houses: annotator"}}]
    LogEntry.objects.create(
        content_type=of_membership, object_id=str(membership.pk),
        object_repr="žofie, houses: annotator", **about,
    )  # fmt: skip
    LogEntry.objects.create(
        content_type=of_project, object_id="1", object_repr="houses",
        change_message=json.dumps(told), **about,
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


def test_no_judgement_and_no_finding_changes(project, jana):
    placements = list(Placement.objects.order_by("pk").values())
    rows = list(Assignment.objects.order_by("pk").values("annotator", "kind", "submitted"))
    found = findings(project)
    assert found["agreement"]
    anonymise(jana, typed_name="jananovakova")
    assert list(Placement.objects.order_by("pk").values()) == placements
    kept = Assignment.objects.order_by("pk").values("annotator", "kind", "submitted")
    assert list(kept) == rows
    assert findings(project) == found


def test_what_is_exported_afterwards_has_the_number_only(project, jana, tmp_path, client):
    assert "Zdislava" in archive(project, tmp_path)
    anonymise(jana, typed_name="jananovakova")
    for made in (archive(project, tmp_path), payment_of(project, client)):
        assert f"annotator {jana.pk}" in made
        assert [trace for trace in TRACES if trace in made] == []


def payment_of(project: Project, client: Client) -> str:
    client.force_login(User.objects.get(username="root"))
    return str(client.get(reverse("payment-csv", args=[project.pk])).getvalue().decode())


def test_who_was_signed_in_is_out_and_comes_as_somebody_new(project, jana):
    link = jana.participant.link
    browser = Client()
    User.objects.filter(pk=jana.pk).update(username="jananovakova")
    come(link, client=browser)
    anonymise(jana, typed_name="jananovakova")
    answer = browser.get(reverse("judge", args=[project.pk]))
    assert answer.headers["Location"].startswith(reverse("sign-in"))
    come(link)
    assert user_of(link) != jana


def test_the_user_name_has_to_be_typed(project, jana):
    before = everything()
    for wrong in ("", "JANANOVAKOVA", "jananovakova "):
        with pytest.raises(NotPossible):
            anonymise(jana, typed_name=wrong)
    body = [line for line in before.splitlines() if '"made"' not in line]
    after = [line for line in everything().splitlines() if '"made"' not in line]
    assert after[:-1] == body[:-1]


def test_who_runs_the_installation_or_owns_a_project_alone_stays_known(project):
    owner = make_annotator(project, "olga", "owner")
    with pytest.raises(NotPossible, match="houses would have no owner"):
        anonymise(owner, typed_name="olga")
    second = make_annotator(project, "otto", "owner")
    User.objects.filter(pk=second.pk).update(is_active=False)
    with pytest.raises(NotPossible):
        anonymise(owner, typed_name="olga")
    User.objects.filter(pk=second.pk).update(is_active=True)
    assert anonymise(owner, typed_name="olga") == f"annotator {owner.pk}"
    root = User.objects.create_superuser("root")
    with pytest.raises(NotPossible, match="runs the installation"):
        anonymise(root, typed_name="root")


def test_a_name_that_somebody_has_is_not_taken(project):
    jana = make_annotator(project)
    User.objects.create(username=f"anonymous-{jana.pk}", display_name=f"annotator {jana.pk}")
    assert anonymise(jana, typed_name="jana") == f"annotator {jana.pk}-2"
    jana.refresh_from_db()
    assert jana.username == f"anonymous-{jana.pk}-2"


# --- by whom ----------------------------------------------------------------------------------


def press(client: Client, project: Project, user: User, typed: str) -> int:
    path = reverse("anonymise-member", args=[project.pk, user.pk])
    return client.post(path, {"username": typed}).status_code


def test_an_owner_anonymises_who_is_in_his_project_alone(client, project):
    client.force_login(make_annotator(project, "olga", "owner"))
    jana = make_annotator(project)
    other = make_project("castles")
    make_annotator(other, "jana")
    path = reverse("anonymise-member", args=[project.pk, jana.pk])
    assert "has to do with other projects too" in client.get(path).content.decode()
    assert press(client, project, jana, "jana") == 400
    # Nor where she judged elsewhere and is no member there any more.
    judge(jana, other, 1)
    Membership.objects.filter(project=other).delete()
    assert press(client, project, jana, "jana") == 400
    Assignment.objects.filter(project=other).update(project=project)
    assert press(client, project, jana, "wrong") == 400
    assert User.objects.filter(username="jana").exists()
    assert press(client, project, jana, "jana") == 302
    assert not User.objects.filter(username="jana").exists()


def test_an_owner_does_not_anonymise_whoever_he_makes_a_member(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(make_annotator(project, "olga", "owner"))
    assert press(client, project, jana, "jana") == 400
    assert User.objects.filter(username="jana", is_active=True).exists()


def test_an_owner_does_not_anonymise_himself_there_nor_a_superuser(client, project):
    olga = make_annotator(project, "olga", "owner")
    client.force_login(olga)
    assert press(client, project, olga, "olga") == 400
    root = User.objects.create_superuser("root")
    Membership.objects.create(user=root, project=project, role="annotator")
    assert press(client, project, root, "root") == 400
    assert press(client, project, User.objects.create(username="nobody"), "nobody") == 404


def test_whoever_runs_the_installation_anonymises_anybody(client, project):
    client.force_login(User.objects.create_superuser("root"))
    jana = make_annotator(project)
    make_annotator(make_project("castles"), "jana")
    assert press(client, project, jana, "jana") == 302
    assert not Membership.objects.filter(user=jana).exists()


def test_a_person_does_it_herself(client, project):
    jana = make_annotator(project)
    jana.set_unusable_password()
    jana.save()
    judge(jana, project, 1)
    client.force_login(jana)
    assert "jana" in client.get(reverse("my-data")).content.decode()
    path = reverse("anonymise-me")
    answer = client.post(path, {"username": "petr"})
    assert answer.status_code == 400
    assert "That is not the user name" in answer.content.decode()
    answer = client.post(path, {"username": "jana"}, follow=True)
    assert "Your account is anonymised" in answer.content.decode()
    assert client.get(reverse("projects")).status_code == 302
    assert User.objects.filter(username="petr").exists()


def test_who_has_a_password_gives_it_before_the_account_is_gone(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(jana)
    assert 'name="password"' in client.get(reverse("my-data")).content.decode()
    form = {"username": "jana"}
    for wrong in ({}, {"password": "wrong"}):
        answer = client.post(reverse("anonymise-me"), form | wrong)
        assert answer.status_code == 400
        assert "That is not your password" in answer.content.decode()
    assert User.objects.filter(username="jana").exists()
    assert (
        client.post(reverse("anonymise-me"), form | {"password": "nine-quiet-rivers"}).status_code
        == 302
    )
    assert not User.objects.filter(username="jana").exists()


def test_the_command(project, capsys):
    jana = make_annotator(project)
    for wrong in (["nobody", "--yes"], ["jana"]):
        with pytest.raises(CommandError):
            call_command("anonymise_user", *wrong)
    assert User.objects.filter(username="jana").exists()
    call_command("anonymise_user", "jana", "--yes")
    assert f"by annotator {jana.pk} now" in capsys.readouterr().out
    assert not User.objects.filter(username="jana").exists()


# --- to take along ----------------------------------------------------------------------------


def data_of(client: Client, path: str) -> dict[str, Any]:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    data: dict[str, Any] = json.loads(answer.getvalue())
    return data


def test_everything_about_a_person_is_to_be_had(client, project, jana):
    client.force_login(jana)
    data = data_of(client, reverse("my-data-json"))
    text = json.dumps(data, ensure_ascii=False)
    assert [trace for trace in TRACES if trace not in text] == []
    assert (data["mail"], data["mail_to_confirm"]) == ("zv@example.org", "zv@new.example")
    assert data["memberships"] == [
        {"project": "houses", "role": "annotator", "most_sentences": None}
    ]
    assert data["crowd"][0]["participant_id"] == PID
    assert len(data["sign_in_links"]) == len(data["unfinished_projects"]) == 1
    assert data["instructions_written"][0]["version"] == 1
    states = [row["state"] for row in data["assignments"]]
    assert states == ["submitted"] * 5 + ["skipped", "open"]
    judged = data["assignments"][0]["submissions"][0]["judgements"]
    assert [row["segment"] for row in judged] == ["the old house", "near the river"]
    assert judged[1]["ranks"][0][1] == 1
    assert data["assignments"][5]["skipped"]["comment"] == "That is by kolega-Emil."
    assert data["assignments"][6]["draft"]["choices"]


def test_why_a_sentence_was_given_is_not_told_to_who_judges(client, project, jana):
    Assignment.objects.filter(annotator=jana).filter(state="submitted").update(kind="first")
    client.force_login(jana)
    rows = data_of(client, reverse("my-data-json"))["assignments"]
    assert not any("kind" in row for row in rows)
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    rows = data_of(client, reverse("member-data", args=[project.pk, jana.pk]))["assignments"]
    assert {row["kind"] for row in rows} == {"first"}


def test_administrators_get_what_belongs_to_their_project(client, project):
    jana = make_annotator(project)
    User.objects.filter(pk=jana.pk).update(email="zv@example.org", last_login=timezone.now())
    other = make_project("castles")
    make_annotator(other, "jana")
    judge(jana, project, 1)
    judge(jana, other, 1)
    client.force_login(make_annotator(project, "boss", "administrator"))
    data = data_of(client, reverse("member-data", args=[project.pk, jana.pk]))
    text = json.dumps(data)
    assert "castles" not in text
    assert "zv@example.org" not in text
    assert "last_signed_in" not in data
    assert [row["project"] for row in data["assignments"]] == ["houses"]


def test_many_judgements_take_no_more_queries_each(client, project, django_assert_max_num_queries):
    jana = make_annotator(project)
    judge(jana, project)
    client.force_login(jana)
    with django_assert_max_num_queries(20):
        assert len(data_of(client, reverse("my-data-json"))["assignments"]) > 5


def test_times_stay_as_they_were(project, jana):
    before = jana.assignments.filter(state="submitted").latest("submitted").submitted
    anonymise(jana, typed_name="jananovakova")
    after = jana.assignments.filter(state="submitted").latest("submitted").submitted
    assert after == before
    assert timezone.now() - after < timedelta(minutes=10)

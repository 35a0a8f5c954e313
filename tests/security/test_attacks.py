"""Attacks on request bodies, uploads, form fields and redirects."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Membership, Project, Upload, User
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
    "https:evil.example",
    "/\t/evil.example/",
    "http://testserver@evil.example/",
)


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def assignment(client: Client, project: Project) -> Assignment:
    jana = make_annotator(project)
    client.force_login(jana)
    given = assign_next(jana, project)
    return given


def address(what: str, assignment: Assignment) -> str:
    return reverse(what, args=[assignment.project_id, assignment.pk])


# --- bodies -----------------------------------------------------------------------------------

BODIES = [
    "[" * 200_000,
    '{"base": 0, "choices": ' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"base": 0, "choices": {"1-1": ' + "9" * 10_000 + "}}",
    '{"base": NaN, "choices": {}}',
    '{"base": 1e999, "choices": {}}',
    '{"base": 0, "choices": {}, "active_seconds": 1e999}',
    '{"base": 0, "choices": {"\\ud800": 1}}',
    '{"base": 0, "choices": {"\\u0000": 1}}',
    '{"base": 0, "choices": {"1-1": {"__class__": 1}}}',
    '{"base": 0, "choices": []}',
    '{"reason": "other", "comment": "\\u0000"}',
    '{"reason": ["other"], "comment": {}}',
    "null",
    "[]",
    '"text"',
    "\xff",
    "",
]


@pytest.mark.parametrize("body", BODIES, ids=[body[:30] for body in BODIES])
def test_it_refuses_malformed_bodies(client: Client, assignment: Assignment, body: str) -> None:
    for what, method in (("draft", "PUT"), ("submission", "POST"), ("skip", "POST")):
        answer = client.generic(
            method, address(what, assignment), body, content_type="application/json"
        )
        assert answer.status_code == 400
        assert answer.json()["detail"]
    assert not Assignment.objects.filter(draft_version__gt=0).exists()
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.OPEN


def test_it_refuses_a_body_that_is_too_large(client: Client, assignment: Assignment) -> None:
    body = json.dumps({"base": 0, "choices": {}, "more": "x" * 3_000_000})
    answer = client.put(address("draft", assignment), body, content_type="application/json")
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path", ["/projects/new/%00/", "/sign-in/link/%00/", "/%00", "/projects/1%00/"]
)
def test_an_address_with_a_null_character_is_refused(client: Client, path: str) -> None:
    client.force_login(User.objects.create_superuser("root"))
    assert client.get(path).status_code == 400


# --- uploads ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.svg", "a.exe", "../../a.txt", "a.php", ".htaccess"])
def test_an_upload_is_stored_under_a_generated_name_and_not_served(
    client: Client, settings: Any, tmp_path: Path, name: str
) -> None:
    settings.MEDIA_ROOT = tmp_path
    client.force_login(User.objects.create_superuser("root"))
    content = b"<script>alert(1)</script>\n"
    file = SimpleUploadedFile("x", content, content_type="text/html")
    client.post(reverse("new-project"), {"files": [file], "path": [name]})
    upload = Upload.objects.get()
    (stored,) = (tmp_path / "uploads" / upload.token).glob("[0-9a-f]*")
    assert re.fullmatch("[0-9a-f]{32}", stored.name)
    assert stored.read_bytes() == content
    assert stored.stat().st_mode & 0o111 == 0
    assert not list(tmp_path.parent.rglob("a.txt"))
    for path in (f"/uploads/{upload.token}/{stored.name}", f"/media/{stored.name}",
                 f"/projects/new/{upload.token}/{stored.name}/"):  # fmt: skip
        assert client.get(path).status_code == 404


# --- unexpected fields ------------------------------------------------------------------------


def test_settings_ignore_other_columns(client: Client, project: Project) -> None:
    client.force_login(make_annotator(project, "boss", "administrator"))
    fields = {
        "description": "New",
        "judges_per_sentence": 1,
        "intra_rate": 0,
        "inter_rate": 0,
        "control_rate": 0,
        "queue_order": "document",
        "shown_references": "first",
        "block_size": 10,
        "lease_minutes": 60,
        "practice_tries": 1,
    }
    more = {"name": "taken over", "state": "preparing", "provenance": "{}", "id": 99, "pk": 99}
    client.post(reverse("project-settings", args=[project.pk]), fields | more)
    changed = Project.objects.get()
    assert changed.description == "New"
    assert (changed.pk, changed.name, changed.state) == (project.pk, project.name, project.state)


def test_registration_grants_no_rights(client: Client, project: Project, settings: Any) -> None:
    settings.SELF_REGISTRATION = True
    fields = {"username": "eve", "password1": PASSWORD, "password2": PASSWORD}
    more = {"is_superuser": "on", "is_staff": "on", "imported_with": project.pk, "memberships": 1}
    assert client.post(reverse("register"), fields | more).status_code == 302
    eve = User.objects.get()
    assert (eve.is_superuser, eve.is_staff, eve.imported_with) == (False, False, None)
    assert not Membership.objects.exists()


@pytest.mark.parametrize("role", ["superuser", "", "administrator ", "ADMINISTRATOR"])
def test_it_refuses_unknown_roles(client: Client, project: Project, role: str) -> None:
    client.force_login(make_annotator(project, "boss", "administrator"))
    User.objects.create(username="eve")
    fields = {"username": "eve", "role": role}
    client.post(reverse("people", args=[project.pk]), fields)
    known = set(Membership.objects.values_list("role", flat=True))
    assert known <= set(Membership.Role.values)
    assert not User.objects.filter(is_superuser=True).exists()


def test_administrators_do_not_add_themselves_to_other_projects(
    client: Client, project: Project
) -> None:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    other = make_project("castles")
    fields = {"username": "boss", "role": "administrator", "project": other.pk}
    client.post(reverse("people", args=[project.pk]), fields)
    assert list(boss.memberships.values_list("project", flat=True)) == [project.pk]


# --- redirects --------------------------------------------------------------------------------


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_it_never_redirects_to_another_site(client: Client, elsewhere: str) -> None:
    user = User.objects.create_user("jana", password=PASSWORD)
    fields = {"username": "jana", "password": PASSWORD, "next": elsewhere}
    answers = [
        client.post(reverse("sign-in"), fields),
        client.get(reverse("sign-in"), {"next": elsewhere}),
        client.post(reverse("set_language"), {"language": "cs", "next": elsewhere}),
        client.get(reverse("set_language"), {"next": elsewhere}),
        client.post(reverse("set_language"), {"language": "cs"}, headers={"referer": elsewhere}),
        client.post(reverse("sign-out"), {"next": elsewhere}),
    ]
    assert user.pk
    for answer in answers:
        assert answer.status_code == 302
        assert answer.headers["Location"] in {"/", "/sign-in/"}

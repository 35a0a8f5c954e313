"""Members: roles, limits, sign-in links, stored data, anonymisation."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import Project, Upload, User
from annotation.uploads import folders
from api.models import StoredAnswer
from operations.backups import backup
from tests.api.client import Program, problem_of, program_of
from tests.factories import make_annotator, make_project, next_assignment


def test_a_member_is_added_changed_and_removed(program: Program, project: Project) -> None:
    jana = User.objects.create(username="jana", display_name="Jana")
    path = f"projects/{project.pk}/members/"
    answer = program.send("POST", path, {"username": "jana", "role": "annotator"})
    assert answer.status_code == 201
    shown = {
        "user": jana.pk,
        "username": "jana",
        "name": "jana",
        "role": "annotator",
        "paused": False,
    }
    shown |= {"sentences": 0, "assignments": 0, "judgements": 0, "sentence_limit": None}
    assert answer.json() == shown
    one = answer.headers["Location"].removeprefix("/api/v1/")
    assert program.send("GET", one).json() == shown
    assert program.send("PUT", one, {"role": "observer"}).json()["role"] == "observer"
    rows = program.send("GET", f"{path}?role=observer").json()["results"]
    assert [row["username"] for row in rows] == ["jana"]
    assert program.send("DELETE", one).status_code == 204
    problem_of(program.send("DELETE", one), 404)
    problem_of(program.send("PUT", one, {"role": "observer"}), 404)


def test_a_member_is_limited(program: Program, project: Project) -> None:
    jana = make_annotator(project, "jana")
    path = f"projects/{project.pk}/members/"
    one = f"{path}{jana.pk}/"
    answer = program.send("PATCH", one, {"sentence_limit": 1})
    assert (answer.status_code, answer.json()["sentence_limit"]) == (200, 1)
    rows = program.send("GET", f"{path}?role=annotator").json()["results"]
    assert [row["sentence_limit"] for row in rows] == [1]
    assert next_assignment(annotator=jana, project=project)
    assert program.send("PATCH", one, {}).json()["sentence_limit"] == 1
    # A new role leaves it, and what is wrong changes nothing.
    assert program.send("PUT", one, {"role": "observer"}).json()["sentence_limit"] == 1
    for wrong in (0, 1_000_001, 10**30, "x", True, 1.5):
        problem = problem_of(program.send("PATCH", one, {"sentence_limit": wrong}), 400)
        assert problem["errors"][0]["pointer"] == "#/sentence_limit"
    problem_of(program.send("PATCH", one, {"role": "owner"}), 400)
    assert program.send("GET", one).json()["sentence_limit"] == 1
    assert program.send("PATCH", one, {"sentence_limit": None}).json()["sentence_limit"] is None
    for stranger in (make_annotator(make_project("castles"), "eva").pk, 10**30):
        problem_of(program.send("PATCH", f"{path}{stranger}/", {"sentence_limit": 1}), 404)


@pytest.fixture
def jana(project: Project) -> User:
    jana = make_annotator(project, "jananovakova")
    User.objects.filter(pk=jana.pk).update(display_name="Zdislava V.", email="zv@example.org")
    jana.refresh_from_db()
    return jana


def path_of(project: Project, user: User) -> str:
    return f"projects/{project.pk}/members/{user.pk}/anonymise/"


def anonymise(program: Program, project: Project, user: User, key: str = "one", **body: str) -> Any:
    sent = {"username": user.username} | body
    return program.send("POST", path_of(project, user), sent, Idempotency_Key=key)


def everything() -> str:
    return b"".join(backup()).decode()


def test_an_owner_anonymises_a_person(program: Program, project: Project, owner: User) -> None:
    jana = make_annotator(project, "jana")
    path = f"projects/{project.pk}/members/{jana.pk}/anonymise/"
    boss = program_of(make_annotator(project, "boss", "administrator"))
    problem_of(boss.send("POST", path, {"username": "jana"}), 403)
    wrong = problem_of(program.send("POST", path, {"username": "Jana"}), 400)
    assert wrong["errors"][0]["pointer"] == "#/username"
    assert User.objects.get(pk=jana.pk).username == "jana"
    answer = program.send("POST", path, {"username": "jana"})
    assert answer.json() == {"user": jana.pk, "name": f"annotator {jana.pk}"}
    assert User.objects.get(pk=jana.pk).username == f"anonymous-{jana.pk}"


def test_a_repeated_anonymisation_is_done_once(
    program: Program, project: Project, jana: User
) -> None:
    first = anonymise(program, project, jana)
    assert first.status_code == 200, first.content
    assert first.json() == {"user": jana.pk, "name": f"annotator {jana.pk}"}
    unknown = User.objects.filter(pk=jana.pk).values().get()
    again = anonymise(program, project, jana)
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["Idempotent-Replayed"] == "true"
    assert User.objects.filter(pk=jana.pk).values().get() == unknown
    problem_of(anonymise(program, project, jana, username="petra"), 422)
    # Without the key it is a new request, and they are no longer a member.
    problem_of(anonymise(program, project, jana, key="two"), 404)
    assert User.objects.filter(pk=jana.pk).values().get() == unknown


def test_stored_answers_about_the_person_are_deleted(
    program: Program, project: Project, jana: User
) -> None:
    members = f"projects/{project.pk}/members/"
    make_annotator(project, "petra")
    for name in ("jananovakova", "petra"):
        body = {"username": name, "role": "annotator"}
        assert program.send("POST", members, body, Idempotency_Key=name[::-1]).status_code == 201
    assert "Zdislava" in StoredAnswer.objects.get(body__contains="jananovakova").body
    assert anonymise(program, project, jana).status_code == 200
    after = everything()
    assert [
        trace for trace in ("jananovakova", "Zdislava", "zv@example.org") if trace in after
    ] == []
    # Answers about others are kept.
    assert StoredAnswer.objects.filter(body__contains="petra").exists()


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_a_failed_anonymisation_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, uploads: Path
) -> None:
    project = make_project()
    program = program_of(make_annotator(project, "owner", "owner"))
    program.raise_request_exception = False
    jana = make_annotator(project, "jana")
    file = folders.folder_of(Upload.objects.create(owner=jana)) / "file"
    file.write_text("x")
    with monkeypatch.context() as broken:
        # The last step, after everything was done.
        broken.setattr("api.idempotency.JSONRenderer", lambda: 1 / 0)
        problem_of(anonymise(program, project, jana), 500)
    assert User.objects.get(pk=jana.pk).username == "jana"
    assert file.exists()
    assert anonymise(program, project, jana).status_code == 200
    assert not file.exists()
    assert User.objects.get(pk=jana.pk).username == f"anonymous-{jana.pk}"


def test_a_sign_in_link_is_shown_once(program: Program, project: Project, owner: User) -> None:
    jana = make_annotator(project, "jana")
    petra = make_annotator(project, "petra")
    petra.set_password("nine-quiet-rivers")
    petra.save()
    members = f"projects/{project.pk}/members/"
    rows = program.send("GET", f"{members}?needs_link=true").json()["results"]
    assert [row["username"] for row in rows] == ["jana"]

    path = f"{members}{jana.pk}/new-link/"
    first, again = (program.send("POST", path, Idempotency_Key="one") for _time in "ab")
    assert first.status_code == 201
    assert again.json() == first.json() | {"address": None}
    address = first.json()["address"]
    assert address.rstrip("/").rpartition("/")[2] not in str(list(StoredAnswer.objects.values()))
    browser = Client()
    browser.post("/sign-in/link/" + address.split("/sign-in/link/")[1])
    assert int(browser.session["_auth_user_id"]) == jana.pk
    problem_of(program.send("POST", f"{members}{petra.pk}/new-link/"), 409)
    problem_of(program.send("POST", f"{members}{10**9}/new-link/"), 404)
    problem_of(program.send("POST", f"{members}{owner.pk}/new-link/"), 409)

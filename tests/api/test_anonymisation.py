"""Making a person unknown through the API: once, and for ever."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Project, Upload, User
from annotation.uploads import folders
from api.models import StoredAnswer
from operations.backups import backup
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.factories import make_annotator, make_project


@pytest.fixture
def jana(project: Project) -> User:
    jana = make_annotator(project, "jananovakova")
    User.objects.filter(pk=jana.pk).update(display_name="Zdislava V.", email="zv@example.org")
    jana.refresh_from_db()
    return jana


def path_of(project: Project, user: User) -> str:
    return f"projects/{project.pk}/members/{user.pk}/anonymise/"


def forget(program: Program, project: Project, user: User, key: str = "one", **body: str) -> Any:
    sent = {"username": user.username} | body
    return program.send("POST", path_of(project, user), sent, Idempotency_Key=key)


def everything() -> str:
    return b"".join(backup()).decode()


def test_an_owner_makes_a_person_unknown(program: Program, project: Project, owner: User) -> None:
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


def test_who_may_not_be_made_unknown(program: Program, project: Project, owner: User) -> None:
    petra = make_annotator(project, "petra")
    make_project("castles").memberships.create(user=petra, role="annotator")
    path = f"projects/{project.pk}/members"
    for user in (petra, owner):
        body = {"username": user.username}
        problem_of(program.send("POST", f"{path}/{user.pk}/anonymise/", body), 409)
    assert User.objects.filter(username__in=("petra", "owner")).count() == 2


def test_sent_again_a_person_is_made_unknown_once(
    program: Program, project: Project, jana: User
) -> None:
    first = forget(program, project, jana)
    assert first.status_code == 200, first.content
    assert first.json() == {"user": jana.pk, "name": f"annotator {jana.pk}"}
    unknown = User.objects.filter(pk=jana.pk).values().get()
    again = forget(program, project, jana)
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["Idempotent-Replayed"] == "true"
    assert User.objects.filter(pk=jana.pk).values().get() == unknown
    problem_of(forget(program, project, jana, username="petra"), 422)
    # Without the key nobody knows of it: she is no member any more.
    problem_of(forget(program, project, jana, key="two"), 404)
    assert User.objects.filter(pk=jana.pk).values().get() == unknown


def test_what_was_refused_may_be_sent_again_with_the_right_name(
    program: Program, project: Project, jana: User
) -> None:
    problem_of(forget(program, project, jana, username="jana"), 400)
    assert not StoredAnswer.objects.exists()
    assert forget(program, project, jana).status_code == 200


def test_no_stored_answer_says_who_it_was(program: Program, project: Project, jana: User) -> None:
    members = f"projects/{project.pk}/members/"
    make_annotator(project, "petra")
    for name in ("jananovakova", "petra"):
        body = {"username": name, "role": "annotator"}
        assert program.send("POST", members, body, Idempotency_Key=name[::-1]).status_code == 201
    assert "Zdislava" in StoredAnswer.objects.get(body__contains="jananovakova").body
    assert forget(program, project, jana).status_code == 200
    after = everything()
    assert [
        trace for trace in ("jananovakova", "Zdislava", "zv@example.org") if trace in after
    ] == []
    # What was answered about others is given again.
    assert StoredAnswer.objects.filter(body__contains="petra").exists()


def test_nobody_tells_by_trying_what_the_name_was(
    program: Program, project: Project, jana: User
) -> None:
    forget(program, project, jana)
    body = json.dumps({"username": "jananovakova"}, sort_keys=True).encode()
    guess = hashlib.sha256(f"/api/v1/{path_of(project, jana)}\n".encode())
    guess.update(hashlib.sha256(body).digest())
    assert StoredAnswer.objects.get().fingerprint != guess.hexdigest()


@pytest.mark.django_db(transaction=True)
def test_where_it_fails_the_person_is_known_and_has_the_files(
    monkeypatch: pytest.MonkeyPatch, uploads: Path
) -> None:
    project = make_project()
    program = program_of(make_annotator(project, "owner", "owner"))
    program.raise_request_exception = False
    jana = make_annotator(project, "jana")
    file = folders.folder_of(Upload.objects.create(owner=jana)) / "file"
    file.write_text("x")
    with monkeypatch.context() as broken:
        # The very last thing, when all is done already.
        broken.setattr("api.idempotency.JSONRenderer", lambda: 1 / 0)
        problem_of(forget(program, project, jana), 500)
    assert User.objects.get(pk=jana.pk).username == "jana"
    assert file.exists()
    assert forget(program, project, jana).status_code == 200
    assert not file.exists()
    assert User.objects.get(pk=jana.pk).username == f"anonymous-{jana.pk}"

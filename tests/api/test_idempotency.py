"""Idempotency-Key: a repeated POST is answered again and not processed twice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from time import sleep
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from annotation.models import Instructions, Project, Upload, User
from annotation.uploads import folders
from api.idempotency import RESERVED
from api.models import StoredAnswer
from api.tasks import delete_expired_answers
from tests.api.client import DETAILS, Program, problem_of, program_of, texts
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.databases


def write(program: Program, project: Project, text: str, key: str = "one") -> Any:
    path = f"projects/{project.pk}/instructions/"
    return program.send("POST", path, {"text": text}, Idempotency_Key=key)


def test_a_repeated_request_gets_the_same_answer(program: Program, project: Project) -> None:
    first = write(program, project, "Be kind.")
    assert first.status_code == 201
    write(program, project, "Be quick.", "two")
    again = write(program, project, "Be kind.")
    assert again.status_code == 201
    assert again.json() == first.json()
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert Instructions.objects.count() == 2


def test_it_refuses_a_key_of_another_request(program: Program, project: Project) -> None:
    write(program, project, "Be kind.")
    problem = problem_of(write(program, project, "Be quick."), 422)
    assert problem["errors"][0]["header"] == "Idempotency-Key"
    elsewhere = program.send(
        "POST", f"projects/{project.pk}/controls/", {"count": 1}, Idempotency_Key="one"
    )
    problem_of(elsewhere, 422)
    assert Instructions.objects.count() == 1


def test_what_is_stored_of_a_request_depends_on_the_secret_key(
    program: Program, project: Project, settings: Any
) -> None:
    """Or who reads the table could try names until one has the stored fingerprint."""
    write(program, project, "Be kind.")
    settings.SECRET_KEY = "another" * 10
    problem_of(write(program, project, "Be kind."), 422)


def test_people_have_separate_keys(program: Program, project: Project) -> None:
    write(program, project, "Be kind.")
    other = program_of(make_annotator(project, "petra", "administrator"))
    assert write(other, project, "Be quick.").status_code == 201


def test_refusals_are_not_stored(program: Program, project: Project) -> None:
    write(program, project, "Be kind.")
    problem_of(write(program, project, "Be kind.", "two"), 409)
    write(program, project, "Be quick.", "three")
    assert write(program, project, "Be kind.", "two").status_code == 201


def test_a_failure_is_rolled_back(
    program: Program, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.raise_request_exception = False
    with monkeypatch.context() as broken:
        # The last step, after everything was stored.
        broken.setattr("api.views.instructions.reverse", lambda *args, **kwargs: 1 / 0)
        problem_of(write(program, project, "Be kind."), 500)
    assert not Instructions.objects.exists()
    assert not StoredAnswer.objects.exists()
    assert write(program, project, "Be kind.").status_code == 201


def test_it_refuses_a_repetition_without_the_right(
    owner: User, program: Program, project: Project
) -> None:
    write(program, project, "Be kind.")
    owner.memberships.update(role="annotator")
    problem_of(write(program, project, "Be kind."), 403)


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 201, "a\tb"])
def test_it_refuses_an_invalid_key(program: Program, project: Project, key: str) -> None:
    problem = problem_of(write(program, project, "Be kind.", key), 400)
    assert problem["errors"][0]["header"] == "Idempotency-Key"
    assert not Instructions.objects.exists()


def test_a_key_expires_after_a_day(program: Program, project: Project) -> None:
    write(program, project, "Be kind.")
    write(program, project, "Be quick.", "two")
    StoredAnswer.objects.filter(key="one").update(created=timezone.now() - timedelta(hours=25))
    assert write(program, project, "Be slow.").status_code == 201
    assert set(StoredAnswer.objects.values_list("key", flat=True)) == {"one", "two"}


def test_expired_answers_are_deleted_without_another_request(
    program: Program, project: Project
) -> None:
    write(program, project, "Be kind.")
    write(program, project, "Be quick.", "two")
    StoredAnswer.objects.filter(key="one").update(created=timezone.now() - timedelta(hours=25))
    delete_expired_answers()
    assert StoredAnswer.objects.get().key == "two"


def test_files_are_compared_by_content(program: Program, project: Project) -> None:
    def add(text: bytes) -> Any:
        file = SimpleUploadedFile("d.txt", text)
        return program.post(
            f"/api/v1/projects/{project.pk}/systems/",
            {"system_name": "D", "text_file": file},
            headers={"Idempotency-Key": "one"},
        )

    first = add(b"a\nb\nc\n")
    assert first.status_code == 202
    again = add(b"a\nb\nc\n")
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    problem_of(add(b"a\nb\nd\n"), 422)
    assert project.systems.count() == 4


def test_it_refuses_a_repetition_while_the_first_is_in_progress(
    owner: User, program: Program, project: Project
) -> None:
    first = write(program, project, "Be kind.")
    stored = StoredAnswer.objects.filter(user=owner)
    # Each wait is as long as the request has taken so far, within limits.
    for seconds, waits in ((0, {"2"}), (15, {"15", "16"}), (300, {"60"})):
        stored.update(status=0, created=timezone.now() - timedelta(seconds=seconds))
        answer = write(program, project, "Be kind.")
        problem_of(answer, 409)
        assert answer.headers["Retry-After"] in waits
    problem_of(write(program, project, "Be quick."), 422)
    # As the first request would have stored it.
    stored.update(status=201)
    assert write(program, project, "Be kind.").json() == first.json()


def test_an_abandoned_key_is_free_after_some_minutes(
    owner: User, program: Program, project: Project
) -> None:
    write(program, project, "Be kind.")
    write(program, project, "Be quick.", "two")
    left = StoredAnswer.objects.filter(user=owner, key="one")
    left.update(status=0, created=timezone.now() - RESERVED - timedelta(seconds=1))
    again = write(program, project, "Be kind.")
    assert again.status_code == 201
    assert "Idempotent-Replayed" not in again.headers
    assert write(program, project, "Be kind.").json() == again.json()


@pytest.mark.django_db(transaction=True)
def test_uploads_run_outside_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    program = program_of(make_annotator(project, "owner", "owner"))
    remove, states = folders.remove, []

    def note(upload: Upload) -> None:
        states.append((connection.in_atomic_block, StoredAnswer.objects.get().status))
        remove(upload)

    monkeypatch.setattr(folders, "remove", note)
    for _time in range(2):
        answer = program.post(
            "/api/v1/projects/", DETAILS | texts(), headers={"Idempotency-Key": "one"}
        )
        assert answer.status_code == 201, answer.content
    assert set(states) == {(False, 0)}
    assert Project.objects.count() == 2
    assert answer.headers["Idempotent-Replayed"] == "true"


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_requests_one_is_processed() -> None:
    project = make_project()
    program = program_of(make_annotator(project, "owner", "owner"))

    def send(_time: int) -> tuple[int, Any, str | None]:
        try:
            while (answer := write(program, project, "Be kind.")).status_code == 409:
                sleep(0.01)
            return answer.status_code, answer.json(), answer.headers.get("Idempotent-Replayed")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert {status for status, _body, _replayed in answers} == {201}
    assert len({str(body) for _status, body, _replayed in answers}) == 1
    assert [replayed for _status, _body, replayed in answers].count(None) == 1
    assert Instructions.objects.count() == 1

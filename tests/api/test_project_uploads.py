"""Making projects through the API."""

from typing import Any

import pytest
from django.test import Client

from annotation.models import Project, Upload, User
from tests.annotation.uploads.upload_files import (
    NORTH,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    TEXTS,
    make_zip,
)
from tests.api.conftest import Program, program_of
from tests.api.sending import DETAILS, create, file, texts
from tests.api.test_core import problem_of
from tests.factories import make_annotator


def test_a_project_is_made_of_files(program: Program, owner: User) -> None:
    answer = create(program, description="Two systems.", min_length="2", open_at_once="false")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert (made["name"], made["state"], made["role"]) == ("News", "preparing", "owner")
    assert (made["description"], made["min_length"]) == ("Two systems.", 2)
    assert answer.headers["Location"] == f"/api/v1/projects/{made['id']}/"
    project = Project.objects.get(pk=made["id"])
    assert list(project.systems.values_list("name", flat=True)) == ["north", "south"]
    assert project.job.options["open_at_once"] is False
    assert project.job.options["parser"] == "phrases"
    assert project.sentences.get(number=1).text == SOURCE.splitlines()[0]
    assert project.sentences.get(number=1).translations.get(system=None).text


def test_a_zip_and_names_that_tell_are_enough(program: Program) -> None:
    packed = file("all.zip", make_zip(TEXTS))
    answer = program.post("/api/v1/projects/", DETAILS | {"files": packed})
    assert answer.status_code == 201, answer.content
    project = Project.objects.get(pk=answer.json()["id"])
    assert set(project.systems.values_list("name", flat=True)) == {"north", "south"}


def test_a_project_may_come_ready_made(program: Program) -> None:
    answer = program.post(
        "/api/v1/projects/", DETAILS | {"ready_segments": file("s.tsv", SEGMENTS)}
    )
    assert answer.status_code == 201, answer.content
    assert answer.json()["state"] == "open"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"name": ""}, "#/name"),
        ({"name": "houses"}, "#/name"),
        ({"name": "a\nb"}, "#/name"),
        ({"source_language": "x"}, "#/source_language"),
        ({"target_language": "no language"}, "#/target_language"),
        ({"parser": "best"}, "#/parser"),
        ({"tokens": "some"}, "#/tokens"),
        ({"min_length": "0"}, "#/min_length"),
        ({"min_length": "7", "max_length": "3"}, "#/max_length"),
        ({"open_at_once": "perhaps"}, "#/open_at_once"),
        ({"source": "text"}, "#/source"),
        ({"extra": "1"}, "#/extra"),
    ],
)
def test_what_is_wrong_with_a_new_project_is_named(
    program: Program, change: dict[str, Any], pointer: str
) -> None:
    problem = problem_of(create(program, **change), 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert Project.objects.count() == 1
    assert not Upload.objects.exists()


def test_all_that_is_wrong_with_files_is_told(program: Program) -> None:
    bad = {
        "systems": [file("north.txt", NORTH + "more\n"), file("south.txt", b"a\xff\nb\n")],
    }
    problem = problem_of(create(program, **bad), 400)
    told = " ".join(error["detail"] for error in problem["errors"])
    assert "north.txt" in told
    assert "south.txt" in told
    assert Project.objects.count() == 1


def test_files_of_one_name_are_refused(program: Program) -> None:
    problem = problem_of(create(program, reference=file("en.txt", REFERENCE)), 400)
    assert "en.txt" in problem["detail"]


def test_what_is_no_text_is_refused(program: Program) -> None:
    problem = problem_of(create(program, source=file("en.txt", b"\x89PNG\r\n\x1a\n\0")), 400)
    assert "en.txt" in problem["detail"]


def test_too_much_is_refused(program: Program, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    problem_of(create(program), 413)
    settings.MAX_UPLOAD_BYTES = 1
    problem_of(create(program, name="x" * 1_100_000), 413)


def test_a_form_is_needed_for_files(program: Program) -> None:
    problem_of(program.send("POST", "projects/", DETAILS), 415)


def test_who_administers_nothing_makes_nothing(project: Project, owner: User) -> None:
    problem_of(create(program_of(make_annotator(project, "observer", "observer"))), 403)
    problem_of(create(program_of(owner, project=project)), 403)
    problem_of(create(program_of(owner, "read")), 403)


def test_what_has_too_many_parts_is_refused(program: Program, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    problem_of(create(program), 413)
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    problem_of(create(program), 413)
    problem_of(program.post("/api/v1/projects/", b"--x", content_type="multipart/form-data"), 400)
    assert Project.objects.count() == 1


def test_a_browser_sends_files_with_its_token_in_the_header(owner: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    browser.get("/")
    secret = browser.cookies["csrftoken"].value
    sent = DETAILS | texts() | {"csrfmiddlewaretoken": secret}
    problem_of(browser.post("/api/v1/projects/", sent), 403)
    answer = browser.post("/api/v1/projects/", DETAILS | texts(), headers={"X-CSRFToken": secret})
    assert answer.status_code == 201, answer.content

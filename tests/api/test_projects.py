"""Projects: create, preview, settings, state, deletion."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.common import stored_files
from annotation.models import Job, Membership, Project, Translation, Upload, User
from annotation.projects.deletion import delete_project
from annotation.projects.options import CHOICES_OF_UNITS, PrepareOptions
from annotation.projects.provenance import is_aligned
from annotation.uploads import folders, storage
from api.exceptions import Conflict
from api.models import StoredAnswer
from api.project_uploads import request_preview
from tests.annotation.kinds.edited_project import edited_project
from tests.annotation.uploads.upload_files import (
    REFERENCE,
    SEGMENTS,
    SOURCE,
    TEXTS,
    TREES,
    make_zip,
)
from tests.api.client import DETAILS, Program, create, file, problem_of, program_of, texts
from tests.factories import make_annotator
from tests.jobs import run_job
from tests.media_files import png, wav
from tests.previews import make_previews


def test_a_project_is_paused_and_reopened(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/state/"
    assert program.send("PUT", path, {"state": "closed"}).json()["state"] == "closed"
    assert program.send("PUT", path, {"state": "closed"}).json()["state"] == "closed"
    assert program.send("PUT", path, {"state": "open"}).json()["state"] == "open"
    problem_of(program.send("PUT", path, {"state": "preparing"}), 400)
    problem_of(program.send("PUT", path, {}), 400)
    Project.objects.update(state="failed")
    problem_of(program.send("PUT", path, {"state": "open"}), 409)


def test_a_project_is_archived_and_read(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/state/"
    assert program.send("PUT", path, {"state": "archived"}).json()["state"] == "archived"
    assert program.send("GET", f"projects/{project.pk}/overview/").status_code == 200
    problem_of(program.send("PUT", path, {"state": "open"}), 409)
    assert program.send("PUT", path, {"state": "closed"}).json()["state"] == "closed"


def test_edits_are_accepted_in_a_new_project(
    owner: User, program: Program, project: Project
) -> None:
    edited = edited_project("edited houses")
    Membership.objects.create(user=owner, project=edited, role="owner")
    made = program.send("POST", f"projects/{edited.pk}/acceptance-projects/", {"name": "accepted"})
    assert made.status_code == 201
    accepting = Project.objects.get(pk=made.json()["id"])
    assert made["Location"].endswith(f"/projects/{accepting.pk}/")
    assert (accepting.name, accepting.kind) == ("accepted", "edit_acceptance")
    # Of another kind.
    path = f"projects/{project.pk}/acceptance-projects/"
    problem_of(program.send("POST", path, {"name": "castles"}), 409)


def test_a_project_is_renamed_with_its_settings(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/"
    changed = program.send("PATCH", path, {"name": "castles", "block_size": 3}).json()
    assert (changed["name"], changed["block_size"]) == ("castles", 3)
    Project.objects.create(name="palaces", source_language="en", target_language="cs")
    problem_of(program.send("PATCH", path, {"name": "palaces\u00a0", "block_size": 4}), 409)
    problem_of(program.send("PATCH", path, {"name": "\u200b"}), 400)
    problem_of(program.send("PATCH", path, {"name": "a\nb"}), 400)
    project.refresh_from_db()
    assert (project.name, project.block_size) == ("castles", 3)


def test_a_project_is_copied_by_a_worker(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/copies/"
    answer = program.send("POST", path, {"name": "castles"})
    assert answer.status_code == 201
    assert (answer.json()["state"], answer.json()["role"]) == ("preparing", "owner")
    run_job(Job.objects.get().pk)
    made = program.get(answer.headers["Location"]).json()
    assert made["state"] == "closed"
    sentences = program.get(f"{answer.headers['Location']}sentences/").json()
    assert len(sentences["results"]) == project.sentences.count()
    problem_of(program.send("POST", path, {"name": "castles"}), 409)
    Project.objects.filter(pk=project.pk).update(state="preparing")
    problem_of(program.send("POST", path, {"name": "palaces"}), 409)


def test_deletion_needs_the_exact_name(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/"
    problem_of(program.send("DELETE", path), 400)
    problem = problem_of(program.send("DELETE", f"{path}?confirm=house"), 400)
    assert problem["errors"][0]["parameter"] == "confirm"
    assert program.send("DELETE", f"{path}?confirm=houses%C2%A0").status_code == 204
    assert not Project.objects.exists()
    problem_of(program.send("GET", path), 404)


def test_it_refuses_deletion_while_a_job_runs(program: Program, project: Project) -> None:
    Job.objects.create(project=project, state="running")
    problem_of(program.send("DELETE", f"projects/{project.pk}/?confirm=houses"), 409)
    assert Project.objects.exists()


def test_a_project_is_created_from_files(program: Program, owner: User) -> None:
    answer = create(program, description="Two systems.", min_length="2", open_at_once="false")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert (made["name"], made["state"], made["role"]) == ("News", "preparing", "owner")
    assert (made["description"], made["min_length"]) == ("Two systems.", 2)
    assert answer.headers["Location"] == f"/api/v1/projects/{made['id']}/"
    project = Project.objects.get(pk=made["id"])
    assert set(project.systems.values_list("name", flat=True)) == {"north", "south"}
    assert project.job.options["open_at_once"] is False
    assert project.job.options["parser"] == "phrases"
    assert project.sentences.get(number=1).text == SOURCE.splitlines()[0]
    assert project.sentences.get(number=1).translations.get(system=None).text


def test_references_are_numbered_in_their_order(program: Program) -> None:
    further = file("again.txt", REFERENCE.upper())
    made = create(program, references=[file("human.txt", REFERENCE), further]).json()
    first = program.get(f"/api/v1/projects/{made['id']}/sentences/").json()["results"][0]
    line = REFERENCE.splitlines()[0]
    texts_of = {one["reference"]: one["text"] for one in first["translations"] if not one["system"]}
    assert texts_of == {1: line, 2: line.upper()}


def test_whole_sentences_are_ranked_without_trees(program: Program) -> None:
    made = create(program, kind="sentence_ranking").json()
    assert made["kind"] == "sentence_ranking"
    assert program.get(f"/api/v1/projects/{made['id']}/").json()["kind"] == "sentence_ranking"
    trees = file("trees.txt", TREES)
    problem = problem_of(create(program, name="Trees", kind="sentence_ranking", trees=trees), 400)
    assert problem["detail"].startswith("trees.txt: ")
    problem_of(create(program, name="Guess", kind="guess"), 400)
    assert Project.objects.count() == 2


def test_whole_sentences_are_aligned_where_words_are_marked(program: Program) -> None:
    made = create(program, kind="sentence_ranking", highlights="true").json()
    assert made["highlights"]
    project = Project.objects.get(pk=made["id"])
    run_job(project.job.pk)
    project.refresh_from_db()
    assert is_aligned(project)
    problem_of(create(program, name="Fluent", kind="fluency", highlights="true"), 400)
    segments = DETAILS | {"name": "Ready", "ready_segments": file("s.tsv", SEGMENTS)}
    problem_of(program.post("/api/v1/projects/", segments | {"highlights": "true"}), 409)
    assert Project.with_hidden.count() == 2
    houses = Project.objects.get(name="houses")
    problem_of(program.send("PATCH", f"projects/{houses.pk}/", {"highlights": True}), 409)


def test_grades_have_the_steps_that_were_given(program: Program) -> None:
    made = create(program, kind="grades", answer_options=["good", "bad"]).json()
    assert (made["kind"], made["answer_options"]) == ("grades", ["good", "bad"])
    problem = problem_of(create(program, name="None", kind="grades"), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["#/answer_options"]
    assert Project.objects.count() == 2
    path = f"projects/{made['id']}/"
    changed = program.send("PATCH", path, {"answer_options": ["very good", "bad"]}).json()
    assert changed["answer_options"] == ["very good", "bad"]
    problem = problem_of(program.send("PATCH", path, {"answer_options": ["good"]}), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["#/answer_options"]
    others = Project.objects.exclude(pk=made["id"]).get()
    problem_of(program.send("PATCH", f"projects/{others.pk}/", {"answer_options": ["a", "b"]}), 409)


def test_categories_of_errors_are_the_published_ones_or_those_given(program: Program) -> None:
    usual = create(program, kind="mqm").json()
    assert "Accuracy/Omission" in usual["answer_options"]
    given = ["severities: minor, major", "Style", "Other"]
    own = create(program, name="Own", kind="mqm", answer_options=given).json()
    assert own["answer_options"] == given
    problem = problem_of(create(program, name="No", kind="mqm", answer_options=["A", "A"]), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["#/answer_options"]


def test_roles_are_guessed_from_names_in_a_zip(program: Program) -> None:
    packed = file("all.zip", make_zip(TEXTS))
    answer = program.post("/api/v1/projects/", DETAILS | {"files": packed})
    assert answer.status_code == 201, answer.content
    project = Project.objects.get(pk=answer.json()["id"])
    assert set(project.systems.values_list("name", flat=True)) == {"north", "south"}


def test_a_table_is_the_same_as_its_columns(program: Program) -> None:
    table = "source,reference,north\nA house .,Dům .,Domek .\nA river .,Řeka .,Potok .\n"
    sent = {"files": file("all.csv", table.encode("cp1250")), "encoding": "Windows-1250"}
    answer = program.post("/api/v1/projects/", DETAILS | sent)
    assert answer.status_code == 201, answer.content
    texts = Translation.objects.filter(system__name="north").values_list("text", flat=True)
    assert sorted(texts) == ["Domek .", "Potok ."]
    wrong = DETAILS | {"name": "Other", "source": file("all.csv", table)}
    problem = problem_of(program.post("/api/v1/projects/", wrong), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["#/source"]


def test_texts_that_are_not_utf8_are_refused_with_the_encoding_to_send(program: Program) -> None:
    sent = texts() | {"references": file("human.txt", REFERENCE.encode("cp1250"))}
    problem = problem_of(program.post("/api/v1/projects/", DETAILS | sent), 400)
    assert len(problem["errors"]) == 2
    assert "Windows-1250" in problem["errors"][1]["detail"]
    assert not Project.objects.filter(name="News").exists()


def test_a_worker_imports_ready_segments(program: Program) -> None:
    answer = program.post(
        "/api/v1/projects/", DETAILS | {"ready_segments": file("s.tsv", SEGMENTS)}
    )
    assert answer.status_code == 201, answer.content
    assert answer.json()["state"] == "preparing"
    run_job(Job.objects.get().pk)
    path = answer.headers["Location"]
    assert program.get(path).json()["state"] == "open"
    assert program.get(f"{path}job/").json()["state"] == "done"
    folders.remove_old()


def test_the_job_tells_the_first_mistake_in_ready_segments(program: Program) -> None:
    wrong = file("s.tsv", SEGMENTS + "3\tx\n")
    answer = program.post("/api/v1/projects/", DETAILS | {"ready_segments": wrong})
    job = Job.objects.get()
    run_job(job.pk)
    path = answer.headers["Location"]
    assert program.get(path).json()["state"] == "failed"
    assert program.get(f"{path}job/").json()["error"].startswith("s.tsv, line 4")
    delete_project(job.project)
    assert not Upload.objects.exists()
    for left in stored_files.folders_in(stored_files.UPLOADS):
        stored_files.delete_folder(f"{stored_files.UPLOADS}/{left}")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"name": ""}, "#/name"),
        ({"name": "houses"}, "#/name"),
        ({"name": "a\nb"}, "#/name"),
        ({"source_language": "x"}, "#/source_language"),
        ({"target_language": "no language"}, "#/target_language"),
        ({"target_language": "xx"}, "#/target_language"),
        ({"parser": "best"}, "#/parser"),
        ({"tokens": "some"}, "#/tokens"),
        ({"min_length": "0"}, "#/min_length"),
        ({"min_length": "7", "max_length": "3"}, "#/max_length"),
        ({"open_at_once": "perhaps"}, "#/open_at_once"),
        ({"source": "text"}, "#/source"),
        ({"extra": "1"}, "#/extra"),
    ],
)
def test_it_refuses_a_wrong_field_of_a_new_project(
    program: Program, change: dict[str, Any], pointer: str
) -> None:
    problem = problem_of(create(program, **change), 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert Project.objects.count() == 1
    assert not Upload.objects.exists()


def test_it_refuses_files_of_the_same_name(program: Program) -> None:
    problem = problem_of(create(program, references=file("en.txt", REFERENCE)), 400)
    assert "en.txt" in problem["detail"]


def test_it_refuses_uploads_that_are_too_large(program: Program, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    problem_of(create(program), 413)
    settings.MAX_UPLOAD_BYTES = 1
    problem_of(create(program, name="x" * 1_100_000), 413)


def test_it_refuses_json_instead_of_files(program: Program) -> None:
    problem_of(program.send("POST", "projects/", DETAILS), 415)


def test_it_refuses_projects_of_people_who_administer_none(project: Project, owner: User) -> None:
    problem_of(create(program_of(make_annotator(project, "observer", "observer"))), 403)
    problem_of(create(program_of(owner, project=project)), 403)
    problem_of(create(program_of(owner, "read")), 403)


def test_it_refuses_too_many_files_or_fields(program: Program, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    problem_of(create(program), 413)
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    problem_of(create(program), 413)
    problem_of(program.post("/api/v1/projects/", b"--x", content_type="multipart/form-data"), 400)
    assert Project.objects.count() == 1


def test_a_session_uploads_with_the_csrf_header(owner: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    browser.get("/")
    secret = browser.cookies["csrftoken"].value
    sent = DETAILS | texts() | {"csrfmiddlewaretoken": secret}
    problem_of(browser.post("/api/v1/projects/", sent), 403)
    answer = browser.post("/api/v1/projects/", DETAILS | texts(), headers={"X-CSRFToken": secret})
    assert answer.status_code == 201, answer.content


def preview(program: Program, **more: Any) -> Any:
    """Ask for a preview, and return it once a worker has computed it."""
    asked = program.post("/api/v1/projects/preview/", DETAILS | texts() | more)
    assert asked.status_code == 202, asked.content
    assert (asked.json()["state"], asked.json()["contents"]) == ("waiting", None)
    make_previews()
    answer = program.get(asked.headers["Location"])
    assert answer.status_code == 200, answer.content
    assert answer.json()["id"] == asked.json()["id"]
    return answer.json()


def assert_nothing_is_stored() -> None:
    assert Project.objects.count() == 1
    assert not Upload.objects.filter(is_temporary=False).exists()
    assert not Job.objects.exists()


def test_a_preview_shows_what_annotators_would_see(program: Program, project: Project) -> None:
    made = preview(program, min_length="2", max_length="4", aligner="systran")
    assert (made["state"], made["errors"]) == ("made", [])
    shown = made["contents"]
    assert shown["settings"] == {
        "name": "News",
        "description": "",
        "kind": "segment_ranking",
        "answer_options": [],
        "source_language": "en",
        "target_language": "cs",
        "tokens": "raw",
        "min_length": 2,
        "max_length": 4,
        "parser": "phrases",
        "coverage": "algorithm1",
        "aligner": "systran",
        "effort": "normal",
        "open_at_once": True,
    }
    assert (shown["parser"], shown["aligner"], shown["aligned"]) == ("phrases", "systran", 2)
    assert [row["number"] for row in shown["sentences"]] == [1, 2]
    first = shown["sentences"][0]
    assert first["source"] == "The old house stands near the river ."
    assert first["references"] == [{"number": 1, "text": "Starý dům stojí u řeky ."}]
    segments = [segment for row in shown["sentences"] for segment in row["segments"]]
    assert shown["total"] == 2
    assert shown["segments"] == len(segments) > 0
    assert shown["candidates"] == sum(len(segment["candidates"]) for segment in segments) > 0
    for segment in first["segments"]:
        assert "".join(piece["text"] for piece in segment["pieces"]) == first["source"]
    # Nothing tells a system's name.
    assert "north" not in json.dumps(shown)
    assert_nothing_is_stored()


def test_a_new_preview_replaces_the_former(program: Program, project: Project) -> None:
    first = preview(program)
    preview(program)
    problem_of(program.get(f"/api/v1/projects/preview/{first['id']}/"), 404)
    assert Upload.objects.count() == 1


def test_a_preview_that_is_replaced_while_its_files_are_stored_is_a_conflict(
    project: Project,
) -> None:
    boss = User.objects.create_superuser("root")

    class LateFile(SimpleUploadedFile):
        def open(self, *args: Any, **kwargs: Any) -> Any:
            # Another request of the same person comes first.
            storage.new_upload(boss, is_temporary=True)
            return super().open(*args, **kwargs)

    values = {**DETAILS, "min_length": 3, "max_length": 6, "open_at_once": True}
    values |= {name: getattr(PrepareOptions, name) for name in CHOICES_OF_UNITS}
    values |= {"highlights": False, "tutorial": False, "encoding": "UTF-8"}
    with pytest.raises(Conflict):
        request_preview(user=boss, values=values | {"source": LateFile("source.txt", b"A house.")})
    assert Upload.objects.count() == 1


def test_a_preview_tells_the_mistakes_in_ready_made_segments(
    program: Program, project: Project
) -> None:
    wrong = {"ready_segments": file("s.tsv", SEGMENTS + "3\tx\n")}
    asked = program.post("/api/v1/projects/preview/", DETAILS | wrong)
    make_previews()
    made = program.get(asked.headers["Location"]).json()
    assert (made["state"], made["contents"]) == ("failed", None)
    (error,) = made["errors"]
    assert error.startswith("s.tsv, line 4")


def test_a_preview_tells_why_its_settings_cannot_be_used(
    program: Program, project: Project
) -> None:
    made = preview(program, parser="phrases", coverage="predicates", aligner="systran")
    assert (made["state"], made["contents"]) == ("failed", None)
    assert len(made["errors"]) == 1


def test_a_preview_is_not_kept_under_an_idempotency_key(program: Program, project: Project) -> None:
    key = {"Idempotency-Key": "a"}
    for _time in range(2):
        fields = DETAILS | texts()
        answer = program.post("/api/v1/projects/preview/", fields, headers=key)
        assert answer.status_code == 202
    assert not StoredAnswer.objects.exists()
    make_previews()


def test_media_come_with_the_texts(
    program: Program, settings: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")

    def more(table: str = "") -> dict[str, Any]:
        media = [file("1.png", png()), file("film.wav", wav())]
        lines = {"media_table": file("lines.txt", table)} if table else {}
        return {"kind": "sentence_ranking", "media": media} | lines

    wrong = problem_of(create(program, **more()), 400)
    assert "film.wav" in wrong["detail"]
    assert not Project.with_hidden.filter(name=DETAILS["name"]).exists()
    table = "1\t1.png\n1\tfilm.wav\n2\tfilm.wav\n"
    shown = preview(program, **more(table))["contents"]
    assert [(one["line"], one["names"]) for one in shown["media"]] == [
        (1, ["1.png", "film.wav"]),
        (2, ["film.wav"]),
    ]
    made = create(program, **more(table))
    assert made.status_code == 201
    project = Project.objects.get(pk=made.json()["id"])
    assert sorted(project.media.values_list("line", "name")) == [
        (1, "1.png"),
        (1, "film.wav"),
        (2, "film.wav"),
    ]

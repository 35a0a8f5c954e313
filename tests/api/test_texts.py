"""Files, sentences, systems, the preparation and its job."""

from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.models import Job, Project, Translation, User
from annotation.preparation.statistics import Quality
from tests.annotation.selectors.test_preparation_summary import MADE, QUALITY
from tests.annotation.uploads.upload_files import DOCUMENTS, NORTH, REFERENCE, SOURCE, SOUTH
from tests.api.client import Program, at, create, file, problem_of
from tests.jobs import run_job


def test_files_and_sentences_are_listed(program: Program, owner: User) -> None:
    made = create(program, documents=file("names.txt", DOCUMENTS)).json()
    files = program.send("GET", f"projects/{made['id']}/files/").json()["results"]
    assert {row["column"]: row["name"] for row in files} == {
        "source": "en.txt",
        "reference": "human.txt",
        "system north": "north.txt",
        "system south": "south.txt",
        "documents": "names.txt",
    }
    rows = program.send("GET", f"projects/{made['id']}/sentences/?number=1").json()["results"]
    assert [row["text"] for row in rows] == SOURCE.splitlines()[:1]
    assert rows[0]["document"] == "news"
    found = {row["system"]: row["text"] for row in rows[0]["translations"]}
    assert found == {
        None: REFERENCE.splitlines()[0],
        "north": NORTH.splitlines()[0],
        "south": SOUTH.splitlines()[0],
    }


@pytest.mark.parametrize("provenance", [{"files": [1], "added": {"a": 1}}, {"files": {"a": 1}}, {}])
def test_any_provenance_of_a_restored_archive_is_listed(
    program: Program, project: Project, provenance: Any
) -> None:
    Project.objects.update(provenance=provenance)
    assert program.send("GET", f"projects/{project.pk}/files/").json() == {"results": []}


def test_a_job_shows_its_progress(program: Program, owner: User) -> None:
    made = create(program).json()
    path = f"projects/{made['id']}/job/"
    waiting = program.send("GET", path).json()
    assert (waiting["task"], waiting["state"], waiting["system"]) == ("prepare", "queued", None)
    run_job(Project.objects.get(pk=made["id"]).job.pk)
    done = program.send("GET", path).json()
    assert (done["state"], done["error"]) == ("done", "")
    assert done["finished"]
    assert program.send("GET", f"projects/{made['id']}/").json()["state"] == "open"
    problem_of(program.send("DELETE", path), 409)
    problem_of(program.send("POST", f"{path}retry/"), 409)


def test_a_failed_preparation_is_retried_or_cancelled(program: Program, owner: User) -> None:
    made = create(program).json()
    path = f"projects/{made['id']}/job/"
    Job.objects.update(
        state="failed", error="No parser.", reason=InputError("No parser.").to_json()
    )
    Project.objects.filter(pk=made["id"]).update(state="failed")
    assert program.send("GET", path).json()["error"] == "No parser."
    again = program.send("POST", f"{path}retry/")
    assert (again.status_code, again.json()["state"]) == (202, "queued")
    assert program.send("DELETE", path).status_code == 204
    problem_of(program.send("GET", path), 404)
    assert not Project.objects.filter(pk=made["id"]).exists()


def test_a_system_is_added(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/systems/"
    sent = {"system_name": "D", "text_file": file("d.txt", "dům\n" * 3)}
    answer = program.post(f"/api/v1/{path}", sent)
    assert answer.status_code == 202, answer.content
    job = program.get(answer.headers["Location"]).json()
    assert (job["task"], job["system"], job["state"]) == ("add_system", "D", "queued")
    rows = program.send("GET", path).json()["results"]
    assert [row["name"] for row in rows] == ["A", "B", "C", "D"]
    sent = {"system_name": "E", "text_file": file("e.txt", "dům\n" * 3)}
    problem_of(program.post(f"/api/v1/{path}", sent), 409)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"system_name": "A"}, "#/system_name"),
        ({"system_name": "reference"}, "#/system_name"),
        ({"system_name": "a\tb"}, "#/system_name"),
        ({"text_file": ""}, "#/text_file"),
        ({"text_file": file("d.txt", "one line\n")}, "#"),
        ({"text_file": file("d.txt", b"\0")}, "#"),
    ],
)
def test_it_refuses_a_wrong_system(
    program: Program, project: Project, change: dict[str, Any], pointer: str
) -> None:
    sent = {"system_name": "D", "text_file": file("d.txt", "dům\n" * 3)} | change
    problem = problem_of(program.post(f"/api/v1/projects/{project.pk}/systems/", sent), 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert project.systems.count() == 3


def test_adding_a_system_is_resumed(program: Program, project: Project) -> None:
    system = project.systems.earliest("pk")
    path = f"projects/{project.pk}/systems/{{}}/go-on/"
    problem_of(program.send("POST", path.format(system.pk)), 409)
    problem_of(program.send("POST", path.format(10**9)), 404)
    project.provenance = {"added": [{"system": "A"}]}
    project.save()
    answer = program.send("POST", path.format(system.pk))
    assert answer.status_code == 202
    assert Job.objects.get(project=project).options["system"] == "A"


def test_the_preparation_is_described(program: Program, project: Project) -> None:
    Project.objects.update(provenance=MADE | {"quality": QUALITY})
    found = program.send("GET", at(project, "preparation/")).json()
    assert found["parser"] == {"name": "phrases", "version": "1"}
    assert found["aligner"] == {"name": "eflomal", "version": "2.0"}
    assert (found["effort"], found["seed"]) == ("best", "7")
    assert found["coverage"] == "algorithm1"
    assert found["counts"] == MADE["counts"]
    quality = Quality(**QUALITY)
    assert found["shares"]["empty_projections"] == quality.empty_projections == 0.05
    assert found["shares"]["unique_candidates"] == quality.unique_candidates == 0.6
    assert found["shares"]["verbless_sentences"] is None


@pytest.mark.parametrize(
    "provenance",
    [{}, {"parser": [1], "aligner": "x", "counts": [1]}, {"parser": {"name": 1}, "quality": 7}],
)
def test_any_provenance_of_a_restored_archive_is_described(
    program: Program, project: Project, provenance: Any
) -> None:
    Project.objects.update(provenance=provenance)
    found = program.send("GET", at(project, "preparation/")).json()
    assert set(found["counts"].values()) == {None}
    assert set(found["shares"].values()) == {None}
    assert found["effort"] == found["seed"] == ""


def test_a_further_reference_is_added(program: Program, project: Project) -> None:
    def add(text: str) -> Any:
        address = f"/api/v1/projects/{project.pk}/reference/"
        return program.post(address, {"text_file": file("human.txt", text)})

    lines = Translation.objects.filter(sentence__project=project, reference=1).count()
    problem_of(add("x\n" * (lines + 1)), 400)
    answer = add("x\n" * lines)
    assert (answer.status_code, answer.json()) == (201, {"number": 2, "sentences": lines})
    problem_of(add("x\n" * lines), 400)

"""Running a project through the API: its state, its job and its systems."""

from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.models import Job, Project, User
from tests.api.conftest import Program
from tests.api.sending import create, file
from tests.api.test_core import problem_of
from tests.jobs import run_job


def test_pausing_and_reopening(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/state/"
    assert program.send("PUT", path, {"state": "closed"}).json()["state"] == "closed"
    assert program.send("PUT", path, {"state": "closed"}).json()["state"] == "closed"
    assert program.send("PUT", path, {"state": "open"}).json()["state"] == "open"
    problem_of(program.send("PUT", path, {"state": "preparing"}), 400)
    problem_of(program.send("PUT", path, {}), 400)
    Project.objects.update(state="failed")
    problem_of(program.send("PUT", path, {"state": "open"}), 409)


def test_settings_change_one_by_one(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/"
    answer = program.send("PATCH", path, {"intra_rate": 0.5, "description": "New"})
    assert answer.status_code == 200
    assert answer.json()["intra_rate"] == 0.5
    assert answer.json()["block_size"] == 10
    assert program.send("PATCH", path, {}).json()["description"] == "New"


def test_deleting_wants_the_name(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/"
    problem_of(program.send("DELETE", path), 400)
    problem = problem_of(program.send("DELETE", f"{path}?confirm=house"), 400)
    assert problem["errors"][0]["parameter"] == "confirm"
    assert program.send("DELETE", f"{path}?confirm=houses").status_code == 204
    assert not Project.objects.exists()
    problem_of(program.send("GET", path), 404)


def test_nothing_is_deleted_while_a_worker_is_at_it(program: Program, project: Project) -> None:
    Job.objects.create(project=project, state="running")
    problem_of(program.send("DELETE", f"projects/{project.pk}/?confirm=houses"), 409)
    assert Project.objects.exists()


def test_a_job_says_how_far_it_is(program: Program, owner: User) -> None:
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


def test_a_preparation_is_cancelled_or_tried_again(program: Program, owner: User) -> None:
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


def test_what_came_ready_made_has_no_job(program: Program, project: Project) -> None:
    problem_of(program.send("GET", f"projects/{project.pk}/job/"), 404)


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
def test_a_system_that_cannot_be_is_refused(
    program: Program, project: Project, change: dict[str, Any], pointer: str
) -> None:
    sent = {"system_name": "D", "text_file": file("d.txt", "dům\n" * 3)} | change
    problem = problem_of(program.post(f"/api/v1/projects/{project.pk}/systems/", sent), 400)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert project.systems.count() == 3


def test_going_on_with_a_system(program: Program, project: Project) -> None:
    system = project.systems.earliest("pk")
    path = f"projects/{project.pk}/systems/{{}}/go-on/"
    problem_of(program.send("POST", path.format(system.pk)), 409)
    problem_of(program.send("POST", path.format(10**9)), 404)
    project.provenance = {"added": [{"system": "A"}]}
    project.save()
    answer = program.send("POST", path.format(system.pk))
    assert answer.status_code == 202
    assert Job.objects.get(project=project).options["system"] == "A"

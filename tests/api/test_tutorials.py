"""Tutorials, by programs that use the API."""

import pytest

from annotation.models import Project
from annotation.projects.tutorials import SHIPPED
from tests.api.client import Program, file, problem_of
from tests.factories import make_project


@pytest.fixture
def project(db: None) -> Project:
    return make_project(kind="mqm", sentences=1)


def test_a_tutorial_is_added_of_segranks_or_of_the_project(
    program: Program, project: Project
) -> None:
    path = f"/api/v1/projects/{project.pk}/practice/"
    added = program.post(f"{path}tutorial/", {})
    assert (added.status_code, added.json()) == (201, {"sheets": 9})
    assert Project.objects.get(pk=project.pk).practice_required
    own = (SHIPPED / "en-cs.json").read_text()
    assert program.post(f"{path}tutorial/", {"file": file("own.json", own)}).status_code == 201
    listed = program.send("GET", f"projects/{project.pk}/practice/").json()["results"]
    assert [one["is_of_tutorial"] for one in listed] == [True] * 18
    problem = problem_of(program.post(f"{path}tutorial/", {"file": file("own.json", "{}")}), 400)
    assert "own.json" in str(problem)
    # Its answers are changed in the file.
    sheet = program.send("GET", f"projects/{project.pk}/practice/1/").json()
    assert sheet["segments"][0]["candidates"][0]["detail"]
    answers = {"placements": {"1-1": 1}}
    path = f"projects/{project.pk}/practice/1/answers/"
    problem_of(program.send("PUT", path, answers), 400)

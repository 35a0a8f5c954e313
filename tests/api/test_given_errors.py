"""Errors that were marked before, by programs that use the API."""

import json
from typing import Any

import pytest

from annotation.models import GivenErrors, Project
from tests.annotation.kinds.document_project import judge
from tests.api.client import Program, file, problem_of
from tests.factories import assign_next, make_annotator, make_project

TEXTS = ["Starý dům", "U řeky"]


@pytest.fixture
def project(db: None) -> Project:
    """System A has the old house in its only sentence."""
    return make_project(kind="error_spans", sentences=1, segments={"0 1 2 3 4 5 6": TEXTS})


def add(program: Program, project: Project, *ends: int, **fields: str) -> Any:
    spans = [{"start": 0, "end": end, "severity": "minor"} for end in ends]
    lines = json.dumps({"system": "A", "line": 1, "error_spans": spans})
    return program.post(
        f"/api/v1/projects/{project.pk}/given-errors/",
        {"file": file("metric.jsonl", lines), "name": "xcomet"} | fields,
    )


def test_errors_are_added_listed_and_removed(program: Program, project: Project) -> None:
    answer = add(program, project, 5)
    added = answer.json()
    assert (answer.status_code, added["translations"], added["by"]) == (201, 1, "program")
    path = f"projects/{project.pk}/given-errors/"
    assert program.send("GET", path).json() == {"results": [added]}
    problem_of(add(program, project, 5), 409)
    changed = program.send("PATCH", f"projects/{project.pk}/", {"given_share": 0.5})
    assert changed.json()["given_share"] == 0.5
    assert program.send("DELETE", f"{path}{added['id']}/").status_code == 204
    assert not GivenErrors.objects.exists()
    problem_of(program.send("DELETE", f"{path}{added['id']}/"), 404)


def test_errors_that_were_shown_stay(program: Program, project: Project) -> None:
    number = add(program, project).json()["id"]
    assign_next(make_annotator(project), project)
    problem_of(program.send("DELETE", f"projects/{project.pk}/given-errors/{number}/"), 409)


def test_errors_of_annotators_are_given_again(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/given-errors/second-pass/"
    problem_of(program.send("POST", path, {"judged_in": project.pk}), 400)
    annotator = make_annotator(project)
    judge(annotator, assign_next(annotator, project))
    given = program.send("POST", path, {"judged_in": project.pk})
    assert given.status_code == 201
    assert [row["name"] for row in given.json()["results"]] == ["annotator 1"]
    foreign = make_project("foreign", kind="error_spans")
    problem_of(program.send("POST", path, {"judged_in": foreign.pk}), 404)


def test_each_problem_of_the_file_is_named(program: Program, project: Project) -> None:
    problem = problem_of(add(program, project, 99), 400)
    assert "metric.jsonl" in problem["detail"]
    problem_of(add(program, project, 5, by="nobody"), 400)
    problem_of(add(program, make_project("other"), 5), 404)

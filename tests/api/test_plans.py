"""Plans of campaigns."""

from typing import Any

import pytest

from annotation.models import Project
from evaluation.findings.plan import PlanOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.plans import plan_campaign
from tests.api.client import Program, problem_of
from tests.factories import make_project

pytestmark = pytest.mark.django_db

NUMBERS: dict[str, Any] = {
    "systems": 3,
    "annotators": 5,
    "documents": 20,
    "lines": 2.5,
    "words": 30,
}
QUERY = "&".join(f"{name}={number}" for name, number in NUMBERS.items())


def test_a_plan_is_that_of_the_command(program: Program) -> None:
    found = program.send("GET", f"plan/?kind=document_error_spans&{QUERY}").json()
    assert found == {
        "plan": to_json(plan_campaign(PlanOptions(**NUMBERS), kind="document_error_spans"))
    }


def test_what_is_missing_is_said(program: Program, project: Project) -> None:
    problem_of(program.send("GET", "plan/?kind=mqm"), 400)
    problem_of(program.send("GET", f"plan/?{QUERY}"), 400)
    problem_of(program.send("GET", f"plan/?{QUERY}&project={project.pk}"), 400)


def test_projects_of_others_do_not_exist(program: Program) -> None:
    other = make_project(name="other")
    problem_of(program.send("GET", f"plan/?{QUERY}&project={other.pk}"), 404)

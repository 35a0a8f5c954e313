"""What the schema says, and the page that shows it."""

import io
import json
import re
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from annotation.judging.assignment import next_assignment
from annotation.judging.control_items import make_controls
from annotation.models import Assignment, Job, Project, User
from annotation.projects.instructions import write_instructions
from api.schema import whole_schema
from api.urls import VERSION_1
from people.invitations import invite
from tests.annotation.judging.practice_setting import practise_with
from tests.api.conftest import Program
from tests.api.test_core import problem_of
from tests.crowd.coming import make_link

METHODS = {"get", "post", "put", "patch", "delete"}
OPERATIONS = [
    (path, method, operation)
    for path, methods in whole_schema()["paths"].items()
    for method, operation in methods.items()
    if method in METHODS
]
# Whatever the file of that name holds.
FILES = {"exportProject", "getReportData", "getFigure", "getTable", "getMemberData"}
# It needs what was imported: see `test_judged`.
COMPARING = "compareWithSentences"
# What the project of the test below has; of all else `tests.security.test_schemathesis` asks.
PARTS = {"id", "user_pk", "number"}


def answers_json(operation: dict[str, Any]) -> bool:
    return "application/json" in operation["responses"]["200"]["content"]


def parts_of(path: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", path))


EACH = pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=[row[2]["operationId"] for row in OPERATIONS]
)


def validator(part: dict[str, Any]) -> Draft202012Validator:
    """Return what checks against a part of the schema, and what it refers to."""
    return Draft202012Validator(part | {"components": whole_schema()["components"]})


def test_the_schema_is_right_and_complete() -> None:
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert yaml.safe_load(out.getvalue())["openapi"] == "3.1.0"


def test_every_address_is_in_it() -> None:
    hidden = {"api-schema", "api-schema-yaml", "api-documentation", "api-nowhere"}
    names = {pattern.name for pattern in VERSION_1} - hidden
    assert len(names) == len(whole_schema()["paths"])


def test_it_is_served_to_everybody(client: Client, db: None) -> None:
    served = client.get("/api/v1/openapi.json")
    assert served.json() == json.loads(json.dumps(whole_schema()))
    assert yaml.safe_load(client.get("/api/v1/openapi.yaml").content) == served.json()
    problem_of(client.post("/api/v1/openapi.yaml"), 405)


@EACH
def test_every_operation_says_what_programs_need(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"]
    assert operation["tags"]
    assert {"token": []} in operation["security"]
    right = [code for code in operation["responses"] if code.startswith("2")]
    assert len(right) == 1
    wrong = {"400", "401", "429", "default"}
    assert wrong <= set(operation["responses"])
    for code in set(operation["responses"]) - set(right):
        assert list(operation["responses"][code]["content"]) == ["application/problem+json"]
    names = {parameter["name"] for parameter in operation.get("parameters", [])}
    assert ("Idempotency-Key" in names) == (method == "post")
    if method == "post":
        assert {"409", "422"} <= set(operation["responses"])
        assert "Idempotent-Replayed" in operation["responses"][right[0]]["headers"]


@EACH
def test_every_example_is_as_the_schema_says(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    contents = [operation.get("requestBody", {}).get("content", {})]
    contents += [answer.get("content", {}) for answer in operation["responses"].values()]
    for content in contents:
        for part in content.values():
            for example in part.get("examples", {}).values():
                validator(part["schema"]).validate(example["value"])


@EACH
def test_what_is_sent_and_answered_has_an_example(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    contents = [operation.get("requestBody", {}).get("content", {})]
    contents += [
        answer.get("content", {})
        for code, answer in operation["responses"].items()
        if code.startswith("2")
    ]
    for content in contents:
        if "application/json" in content and operation["operationId"] not in FILES | {COMPARING}:
            assert content["application/json"]["examples"]


@pytest.mark.parametrize(
    "path",
    [
        path
        for path, method, operation in OPERATIONS
        if method == "get" and answers_json(operation) and parts_of(path) <= PARTS
        if operation["operationId"] != COMPARING
    ],
)
def test_answers_are_as_the_schema_says(
    owner: User, program: Program, project: Project, path: str
) -> None:
    Job.objects.create(project=project, state="done")
    write_instructions(project=project, author=owner, text="Be kind.")
    make_controls(project=project, count=1)
    next_assignment(annotator=owner, project=project)
    make_link(project)
    invite(project=project, by=owner, role="annotator")
    # Of what nobody has, a sheet is asked for.
    Assignment.objects.update(state="returned", lease_until=None)
    practise_with(project, 2)
    parts = {"id": project.pk, "user_pk": owner.pk, "number": 1}
    answer = program.get(path.format(**parts))
    assert answer.status_code == 200
    content = whole_schema()["paths"][path]["get"]["responses"]["200"]["content"]
    validator(content["application/json"]["schema"]).validate(json.loads(answer.getvalue()))


def test_problems_are_as_the_schema_says(program: Program) -> None:
    schema = validator({"$ref": "#/components/schemas/ProblemDetails"})
    for path in ("projects/?x=1", "projects/9/", "nowhere/"):
        schema.validate(program.send("GET", path).json())


def test_a_page_shows_all_of_it_without_script_or_foreign_host(client: Client, db: None) -> None:
    answer = client.get("/api/v1/docs/")
    page = answer.content.decode()
    for _path, _method, operation in OPERATIONS:
        assert f'id="{operation["operationId"]}"' in page
    assert "<script" not in page
    assert "style=" not in page
    assert "https://" not in page.split("</head>")[0]
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy

"""The schema of the API, and the page that shows it."""

import io
import json
import re
from typing import Any

import yaml
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from annotation.judging.control_items import make_controls
from annotation.models import Assignment, Job, Project, User
from annotation.projects.instructions import write_instructions
from api.schema import whole_schema
from api.urls import VERSION_1
from people.invitations import invite
from tests.annotation.judging.practice_setting import practise_with
from tests.api.client import Program, problem_of
from tests.crowd.coming import make_link
from tests.factories import next_assignment

METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = [
    (path, method, methods[method])
    for path, methods in whole_schema()["paths"].items()
    for method in METHODS
    if method in methods
]
# It needs imported judgements: see `test_findings`.
# Which need a query, or judgements at two levels.
SPECIAL = ("compareWithSentences", "getPlan")
# Parts of addresses that the project of the test below has.
PARTS = {"id", "user_pk", "number"}


def validator(part: dict[str, Any]) -> Draft202012Validator:
    """Return a validator for a part of the schema, with everything that it refers to."""
    return Draft202012Validator(part | {"components": whole_schema()["components"]})


def test_the_schema_is_valid_and_complete() -> None:
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert yaml.safe_load(out.getvalue())["openapi"] == "3.1.0"
    hidden = {"api-schema", "api-schema-yaml", "api-documentation", "api-nowhere"}
    assert len({pattern.name for pattern in VERSION_1} - hidden) == len(whole_schema()["paths"])


def test_the_schema_is_public(client: Client, db: None) -> None:
    served = client.get("/api/v1/openapi.json")
    assert served.json() == json.loads(json.dumps(whole_schema()))
    assert yaml.safe_load(client.get("/api/v1/openapi.yaml").content) == served.json()
    problem_of(client.post("/api/v1/openapi.yaml"), 405)


def test_every_operation_is_described() -> None:
    for path, method, operation in OPERATIONS:
        where = f"{method} {path}"
        assert operation["operationId"], where
        assert operation["summary"], where
        assert operation["tags"], where
        assert {"token": []} in operation["security"], where
        responses = set(operation["responses"])
        assert {"400", "401", "403", "404", "409", "429", "default"} <= responses, where
        assert ("415" in responses) == (method not in ("get", "delete")), where
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        # The latest preview of a person replaces the former one.
        repeatable = method == "post" and operation["operationId"] != "previewProject"
        assert ("Idempotency-Key" in names) == ("422" in responses) == repeatable, where


def test_answers_match_the_schema(owner: User, program: Program, project: Project) -> None:
    Job.objects.create(project=project, state="done")
    write_instructions(project=project, author=owner, text="Be kind.")
    make_controls(project=project, count=1)
    next_assignment(annotator=owner, project=project)
    make_link(project)
    invite(project=project, by=owner, role="annotator")
    # Only an unassigned sentence has a practice sheet.
    Assignment.objects.update(state="returned", lease_until=None)
    practise_with(project, 2)
    parts = {"id": project.pk, "user_pk": owner.pk, "number": 1}
    validated = 0
    for path, method, operation in OPERATIONS:
        known = set(re.findall(r"{(\w+)}", path)) <= PARTS
        if method != "get" or not known or operation["operationId"] in SPECIAL:
            continue
        content = operation["responses"]["200"]["content"]
        if "application/json" not in content:
            continue
        answer = program.get(path.format(**parts))
        assert answer.status_code == 200, path
        validator(content["application/json"]["schema"]).validate(json.loads(answer.getvalue()))
        validated += 1
    assert validated > 20


def test_problems_match_the_schema(program: Program) -> None:
    schema = validator({"$ref": "#/components/schemas/ProblemDetails"})
    for path in ("projects/?x=1", "projects/999999/", "nowhere/"):
        schema.validate(program.send("GET", path).json())


def test_the_reference_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    answer = client.get("/api/v1/docs/")
    page = answer.content.decode()
    assert 'data-schema="/api/v1/openapi.json"' in page
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]

"""What was promised is still there, and no more is required."""

from pathlib import Path
from typing import Any

import pytest

from tests.promises.api import promises_of
from tests.promises.lists import LISTS, broken


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_promises_are_kept(path: Path) -> None:
    assert broken(path.read_text(encoding="utf-8").splitlines(), LISTS[path]()) == []


TEXT = {"type": "string"}


def schema(asked: dict[str, Any], answered: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an operation that takes and answers these objects."""

    def content(name: str) -> dict[str, Any]:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}

    operation = {
        "operationId": "addRow",
        "requestBody": {"content": content("Request")},
        "responses": {"201": {"content": content("Row")}},
    }
    return {
        "paths": {"/rows/": {"post": operation}},
        "components": {"schemas": {"Request": asked, "Row": answered}},
    }


FORMER = schema(
    {"properties": {"a": TEXT, "b": TEXT}, "required": ["a"]},
    {"properties": {"a": TEXT, "b": TEXT}, "required": ["a"]},
)


@pytest.mark.parametrize(
    ("asked", "answered", "found"),
    [
        # A new field of both, one that is no longer required, and one that is now always there.
        (
            {"properties": {"a": TEXT, "b": TEXT, "c": TEXT}},
            {"properties": {"a": TEXT, "b": TEXT, "c": TEXT}, "required": ["a", "b"]},
            [],
        ),
        (
            {"properties": {"a": TEXT, "b": TEXT}, "required": ["a", "b"]},
            {"properties": {"a": TEXT, "b": TEXT}},
            ["Row always has a", "Request requires b"],
        ),
        (
            {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"properties": {"a": TEXT}, "required": ["a"]},
            ["Request takes a: string", "Request takes b: string", "Row has b: string"],
        ),
    ],
)
def test_only_additions_keep_a_promise_of_the_api(
    asked: dict[str, Any], answered: dict[str, Any], found: list[str]
) -> None:
    assert broken(promises_of(FORMER), promises_of(schema(asked, answered))) == found

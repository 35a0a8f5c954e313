"""The schema as a page shows it: no script is needed, and nothing comes from elsewhere."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.schema import whole_schema

METHODS = ("get", "post", "put", "patch", "delete")
JSON = "application/json"


@dataclass(frozen=True)
class Field:
    """A parameter or a field of a body; `place` is "path", "query", "header" or "body"."""

    name: str
    place: str
    type: str
    required: bool
    text: str


@dataclass(frozen=True)
class Answer:
    status: str
    text: str
    media_type: str


@dataclass(frozen=True)
class Operation:
    """What one method of an address does; examples are JSON, "" where there is none."""

    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    fields: list[Field]
    body_type: str
    sent: str
    answered: str
    answers: list[Answer]


@dataclass(frozen=True)
class Section:
    name: str
    operations: list[Operation]


@cache
def sections() -> list[Section]:
    """Return all operations by their tags, in the order of their addresses."""
    schema = whole_schema()
    found: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if operation := methods.get(method):
                tag = operation["tags"][0]
                found.setdefault(tag, []).append(_operation(schema, path, method, operation))
    return [Section(tag, operations) for tag, operations in found.items()]


def _operation(
    schema: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> Operation:
    parameters = [_parameter(schema, one) for one in operation.get("parameters", [])]
    body = operation.get("requestBody", {}).get("content", {})
    body_type: str = next(iter(body), "")
    content: dict[str, Any] = body.get(body_type, {})
    answers = [_answer(status, one) for status, one in operation["responses"].items()]
    right = next(iter(operation["responses"].values())).get("content", {})
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path="/" + path.removeprefix("/"),
        summary=operation.get("summary", ""),
        paragraphs=operation.get("description", "").split("\n\n"),
        fields=parameters + _body_fields(schema, content.get("schema", {})),
        body_type=body_type,
        sent=_example(content),
        answered=_example(right.get(JSON, {})),
        answers=answers,
    )


def _parameter(schema: dict[str, Any], parameter: dict[str, Any]) -> Field:
    return Field(
        parameter["name"],
        parameter["in"],
        _type(schema, parameter.get("schema", {})),
        parameter.get("required", False),
        _text(parameter),
    )


def _body_fields(schema: dict[str, Any], body: dict[str, Any]) -> list[Field]:
    resolved = _resolved(schema, body)
    required = resolved.get("required", [])
    return [
        Field(name, "body", _type(schema, one), name in required, _text(one))
        for name, one in resolved.get("properties", {}).items()
    ]


def _text(described: dict[str, Any]) -> str:
    """Return the description; those that only list the choices say what the type says already."""
    text = str(described.get("description", described.get("title", "")))
    return "" if text.startswith("* `") else text.split("\n\n* `")[0]


def _type(schema: dict[str, Any], described: dict[str, Any]) -> str:
    resolved = _resolved(schema, described)
    if choices := resolved.get("enum"):
        return " | ".join(str(choice) for choice in choices)
    kind = resolved.get("type", "object")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return f"list of {_type(schema, resolved.get('items', {}))}"
    limits = [f"{resolved[name]}" for name in ("minimum", "maximum") if name in resolved]
    if resolved.get("format") in ("binary", "date-time", "uuid"):
        return "file" if resolved["format"] == "binary" else str(resolved["format"])
    if "maxLength" in resolved:
        return f"{kind}, at most {resolved['maxLength']} characters"
    return f"{kind}, {' to '.join(limits)}" if len(limits) == 2 else str(kind)


def _resolved(schema: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference refers to; of several parts the first."""
    part = next(iter(described.get("allOf", [])), described)
    if "$ref" not in part:
        return part
    name = part["$ref"].rpartition("/")[2]
    found: dict[str, Any] = schema["components"]["schemas"][name]
    return found


def _answer(status: str, answer: dict[str, Any]) -> Answer:
    return Answer(status, answer["description"], next(iter(answer.get("content", {})), ""))


def _example(content: dict[str, Any]) -> str:
    examples = list(content.get("examples", {}).values())
    if not examples:
        return ""
    return json.dumps(examples[0]["value"], indent=2, ensure_ascii=False)

"""What version 1 of the API promises, a line each.

`takes` and `requires` are about requests, `has` and `always has` about answers. Types are those of
the schema; those in requests have the default.
"""

import json
from collections.abc import Iterator
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")


def promises_of(schema: dict[str, Any]) -> list[str]:
    """Return what the schema promises, sorted."""
    found: set[str] = set()
    asked: dict[str, None] = {}
    answered: dict[str, None] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                name = operation["operationId"]
                found.add(f"{name} is {method.upper()} {path}")
                found |= set(_of_request(name, operation, asked))
                found |= set(_of_answers(name, operation, answered))
    for names, has, always in ((asked, "takes", "requires"), (answered, "has", "always has")):
        for name in _reached(names, schema["components"]["schemas"]):
            found |= set(_of_object(name, schema["components"]["schemas"][name], has, always))
    return sorted(found)


def _of_request(name: str, operation: dict[str, Any], asked: dict[str, None]) -> Iterator[str]:
    for each in operation.get("parameters", ()):
        parameter = f"{each['in']} {each['name']}"
        yield f"{name} takes {parameter}: {_type(each['schema'], asked)}"
        for value in each["schema"].get("enum", ()):
            yield f"{name} takes {parameter} {json.dumps(value)}"
        if each.get("required") and each["in"] != "path":
            yield f"{name} requires {parameter}"
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"{name} takes {media}: {_type(content['schema'], asked)}"


def _of_answers(name: str, operation: dict[str, Any], answered: dict[str, None]) -> Iterator[str]:
    """Yield the answers but for refusals, which are the same everywhere."""
    successes = {key: one for key, one in operation["responses"].items() if key[0] == "2"}
    for status, answer in successes.items():
        contents = answer.get("content", {})
        if not contents:
            yield f"{name} answers {status}"
        for media, content in contents.items():
            yield f"{name} answers {status} {media}: {_type(content['schema'], answered)}"


def _of_object(name: str, part: Any, has: str, always: str) -> Iterator[str]:
    """Yield the promises of a type, and of those within it."""
    if not isinstance(part, dict):
        return
    for key, value in part.get("properties", {}).items():
        kind = _type(value, {}) if has == "takes" else _plain_type(value)
        yield f"{name} {has} {key}: {kind}"
        yield from _of_object(f"{name}.{key}", value, has, always)
    for key in part.get("required", ()):
        yield f"{name} {always} {key}"
    for value in part.get("enum", ()):
        yield f"{name} {has} the value {json.dumps(value)}"
    for several in ("allOf", "oneOf", "anyOf", "prefixItems"):
        for each in part.get(several, ()):
            yield from _of_object(name, each, has, always)
    for key in ("items", "additionalProperties"):
        yield from _of_object(f"{name}[]", part.get(key), has, always)


def _reached(names: dict[str, None], schemas: dict[str, Any]) -> list[str]:
    """Return the names, and those that they refer to."""
    reached = list(names)
    for name in reached:
        more: dict[str, None] = {}
        _references(schemas[name], more)
        reached += [each for each in more if each not in reached]
    return reached


def _references(part: Any, names: dict[str, None]) -> None:
    if isinstance(part, dict):
        if "$ref" in part:
            names[part["$ref"].rpartition("/")[2]] = None
        for value in part.values():
            _references(value, names)
    elif isinstance(part, list):
        for value in part:
            _references(value, names)


def _type(part: dict[str, Any], names: dict[str, None]) -> str:
    """Return the type in words; `names` gets the schemas that it refers to."""
    _references(part, names)
    default = f" = {json.dumps(part['default'])}" if "default" in part else ""
    return _plain_type(part) + default


def _plain_type(part: dict[str, Any]) -> str:
    if "$ref" in part:
        return str(part["$ref"].rpartition("/")[2])
    for several, word in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if several in part:
            return word.join(map(_plain_type, part[several]))
    kinds = part.get("type", "any")
    words = [kinds] if isinstance(kinds, str) else kinds
    if "prefixItems" in part:
        items = f"({', '.join(map(_plain_type, part['prefixItems']))})"
    else:
        items = f" of ({_plain_type(part['items'])})" if part.get("items") else ""
    values = part.get("additionalProperties")
    values = f" of ({_plain_type(values)})" if isinstance(values, dict) else ""
    return " or ".join(words) + items + values

"""JSON read strictly: no key twice, no NaN, nothing that a database cannot store."""

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

from annotation.formats.errors import InputError

# The largest whole number that the column of a database holds.
LARGEST = 2**31 - 1


class Wrong(ValueError):
    """A value is not what is needed; the message ends a sentence: "is not a text"."""


def load(text: str, where: str) -> Any:
    """Return the value of a JSON text. Raise InputError, beginning with `where`."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        _check_values(value)
    except json.JSONDecodeError as problem:
        at = f"line {problem.lineno}, " if problem.lineno > 1 or "\n" in text else ""
        raise InputError(
            f"{where}: this is not JSON: {problem.msg} ({at}column {problem.colno})."
        ) from None
    except RecursionError:
        raise InputError(f"{where}: this JSON is nested too deeply.") from None
    except ValueError as problem:
        # Wrong, and numbers of more digits than Python reads.
        raise InputError(f"{where}: this JSON cannot be used: {problem}.") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                raise Wrong(f"the key {key!r} stands twice")
            seen.add(key)
    return found


def _constant(name: str) -> NoReturn:
    raise Wrong(f"{name} is no number of JSON")


def _check_values(value: Any) -> None:
    if isinstance(value, str):
        if "\x00" in value:
            raise Wrong("a text holds a NUL character")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Wrong("a text holds half of a surrogate pair") from None
    elif isinstance(value, float) and not math.isfinite(value):
        raise Wrong("a number is too large")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_values(key)
            _check_values(item)
    elif isinstance(value, list):
        for item in value:
            _check_values(item)


# --- checks: each returns the value as Python wants it, or raises Wrong ----------------------

Check = Callable[[Any], Any]


def record(value: Any, where: str, checks: Mapping[str, Check]) -> dict[str, Any]:
    """Return the checked values of an object with exactly these keys. Raise InputError."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: an object with {', '.join(checks)} is needed.")
    for key in checks:
        if key not in value:
            raise InputError(f"{where}: {key!r} is missing.")
    for key in value:
        if key not in checks:
            raise InputError(f"{where}: {key!r} is not known here; known are {', '.join(checks)}.")
    checked = {}
    for key, check in checks.items():
        try:
            checked[key] = check(value[key])
        except Wrong as problem:
            raise InputError(f"{where}: {key!r} {problem}.") from None
    return checked


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong("is not a text")
    return value


def name(longest: int) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not value.strip() or len(value) > longest:
            raise Wrong(f"is not a text of 1 to {longest} characters")
        return value

    return check


def one_of(*choices: str) -> Check:
    def check(value: Any) -> Any:
        if value not in choices:
            raise Wrong(f"is none of {', '.join(choices)}")
        return value

    return check


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("is neither true nor false")
    return value


def whole(smallest: int, largest: int = LARGEST) -> Check:
    def check(value: Any) -> int:
        # In Python, True is 1.
        if not isinstance(value, int) or isinstance(value, bool):
            raise Wrong("is not a whole number")
        if not smallest <= value <= largest:
            raise Wrong(f"is not from {smallest} to {largest}")
        return value

    return check


def number(smallest: float, largest: float = math.inf) -> Check:
    def check(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Wrong("is not a number")
        try:
            found = float(value)
        except OverflowError:
            found = math.inf
        if not (math.isfinite(found) and smallest <= found <= largest):
            limit = f"{smallest:g} or more" if math.isinf(largest) else f"{smallest:g}-{largest:g}"
            raise Wrong(f"is not a number of {limit}")
        return found

    return check


def moment(value: Any) -> datetime:
    """Return a time, in UTC, from ISO 8601 with a time zone."""
    try:
        found = datetime.fromisoformat(text(value))
        if found.tzinfo is None:
            raise Wrong("has no time zone: write it as 2014-05-20 07:15:58.43+00:00")
        return found.astimezone(UTC)
    except Wrong:
        raise
    except (ValueError, OverflowError):
        raise Wrong("is not a time such as 2014-05-20 07:15:58.43+00:00") from None


def nullable(check: Check) -> Check:
    def nullable_check(value: Any) -> Any:
        return None if value is None else check(value)

    return nullable_check


def list_of(check: Check) -> Check:
    def list_check(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Wrong("is not a list")
        checked = []
        for position, item in enumerate(value, start=1):
            try:
                checked.append(check(item))
            except Wrong as problem:
                raise Wrong(f"has an item {position} that {problem}") from None
        return checked

    return list_check


def mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Wrong("is not an object")
    return value

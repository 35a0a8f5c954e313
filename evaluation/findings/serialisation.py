"""Results as plain JSON and back: the type of a result is the shape of its JSON."""

from functools import cache
from hashlib import sha256
from math import isnan
from typing import Any, TypeVar

import msgspec

from annotation.formats.rounding import DECIMALS

T = TypeVar("T")
# Smaller numbers, such as p, have so many significant digits, down to the least p that there is.
SMALL = 0.001
DIGITS = 3
LEAST = 1e-12


def to_json(result: Any) -> Any:
    """Return a dataclass as plain JSON: NaN is None, and numbers have six decimals.

    Numbers below SMALL have three significant digits instead, because p may be very small.
    """
    return _rounded(msgspec.to_builtins(result))


def from_json(stored: Any, type_: type[T]) -> T:
    """Return the result that was stored. Raises msgspec.ValidationError for another shape."""
    return msgspec.convert(stored, type_)


def as_stored(result: T) -> T:
    """Return the result with the precision that it has when it was stored and is read again."""
    return from_json(to_json(result), type(result))


@cache
def shape_of(type_: type) -> str:
    """Return a digest that changes with any field of the type, and of the types in it."""
    schema = msgspec.json.encode(msgspec.json.schema(type_), order="sorted")
    return sha256(schema).hexdigest()[:16]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        if isnan(value):
            return None
        return float(f"{value:.{DIGITS}g}") if LEAST <= value < SMALL else round(value, DECIMALS)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value


def rounded(number: float | None) -> float | None:
    """Return the number with six decimals; None for NaN, which JSON does not have."""
    return None if number is None or isnan(number) else round(number, DECIMALS)

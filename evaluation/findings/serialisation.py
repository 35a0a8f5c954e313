"""Results as plain JSON and back: the type of a result is the shape of its JSON."""

from functools import cache
from hashlib import sha256
from math import isnan
from operator import methodcaller
from typing import Any, TypeVar, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotation.formats.rounding import DECIMALS

T = TypeVar("T")
# Smaller numbers, such as p, have so many significant digits, down to the least p that there is.
SMALL = 0.001
DIGITS = 3
LEAST = 1e-12


def to_json(result: Any) -> Any:
    """Return a dataclass as plain JSON: arrays are lists, NaN is None, numbers have six decimals.

    Numbers below SMALL have three significant digits instead, because p may be very small.
    """
    return _rounded(msgspec.to_builtins(result, enc_hook=methodcaller("tolist")))


def from_json(stored: Any, type_: type[T]) -> T:
    """Return the result that was stored. Raises msgspec.ValidationError for another shape."""
    return msgspec.convert(stored, type_, dec_hook=_array)


def as_stored(result: T) -> T:
    """Return the result with the precision that it has when it was stored and is read again."""
    return from_json(to_json(result), type(result))


@cache
def shape_of(type_: type) -> str:
    """Return a digest that changes with any field of the type, and of the types in it."""
    schema = msgspec.json.schema(type_, schema_hook=lambda array: {"type": "array"})
    return sha256(msgspec.json.encode(_undocumented(schema), order="sorted")).hexdigest()[:16]


def _undocumented(schema: Any) -> Any:
    """Return the schema without the docstrings of its types."""
    if isinstance(schema, list):
        return [_undocumented(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_text = isinstance(schema.get("description"), str)
    return {
        name: _undocumented(each)
        for name, each in schema.items()
        if not (is_text and name == "description")
    }


def _array(type_: Any, stored: Any) -> NDArray[Any]:
    """Return the array of a field that is annotated as NDArray; None in it is NaN."""
    _shape, dtype = get_args(type_)
    return np.array(stored, dtype=get_args(dtype)[0])


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        if isnan(value):
            return None
        small = LEAST <= abs(value) < SMALL
        return float(f"{value:.{DIGITS}g}") if small else round(value, DECIMALS)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value


def rounded(number: float | None) -> float | None:
    """Return the number with six decimals; None for NaN, which JSON does not have."""
    return None if number is None or isnan(number) else round(number, DECIMALS)

"""JSON read strictly: types are checked by msgspec, and no key may be given twice."""

import json
import re
from typing import Any, TypeVar

import msgspec

from annotation.formats.errors import InputError

T = TypeVar("T")
# The largest whole number that the column of a database holds.
LARGEST = 2**31 - 1
# An escaped NUL character, which PostgreSQL does not store; `\\u0000` is a backslash and "u0000".
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

encode = msgspec.json.Encoder().encode


class _DoubledKey(ValueError):
    pass


def decode(text: bytes | bytearray, decoder: msgspec.json.Decoder[T], where: str) -> T:
    """Return the value of a JSON text. Raise InputError with the place `where`.

    The message names the field, as in "Expected `int`, got `str` - at `$.segments[0].indices`".
    """
    try:
        value = decoder.decode(text)
        # msgspec accepts a key that stands twice. What it encodes to the same bytes has none.
        if encode(value) != text:
            json.loads(text, object_pairs_hook=_refuse_doubled_keys)
    except RecursionError:
        raise InputError("this JSON is nested too deeply.", where) from None
    except (msgspec.ValidationError, _DoubledKey) as problem:
        raise InputError(f"{problem}.", where) from None
    except (msgspec.DecodeError, ValueError) as problem:
        raise InputError(f"this is not JSON in UTF-8: {problem}.", where) from None
    if b"\\u0000" in text and _NUL.search(text):
        raise InputError("a text contains a NUL character; remove it.", where)
    return value


def _refuse_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _value in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise _DoubledKey(f"The key {doubled!r} is given twice")
    return found

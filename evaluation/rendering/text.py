"""Texts for people: messages in English that pages translate, and numbers as a language has them.

Nothing here knows Django: `_` marks a message for the catalogues, and a `Language` finds it there.
A plain `str` is never translated: names, signatures and what people wrote.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from annotation.formats.rounding import rounded

UNDEFINED: Final = "–"


@dataclass(frozen=True)
class Text:
    """A message with values for its placeholders, %(name)s; `str` is the text in English.

    With a `plural` message, the value `number` chooses the form. Values are numbers, names,
    `Quantity`, `Listed` or other texts.
    """

    message: str
    values: Mapping[str, object] = field(default_factory=dict)
    plural: str = ""

    def __str__(self) -> str:
        return ENGLISH.text(self)


def _(message: str, **values: object) -> Text:
    return Text(message, values)


def ngettext(message: str, plural: str, number: int, **values: object) -> Text:
    return Text(message, {"number": number, **values}, plural)


@dataclass(frozen=True)
class Quantity:
    """A number with so many decimals within a text."""

    number: float | None
    places: int


@dataclass(frozen=True)
class Listed:
    """Values with commas between them."""

    values: Sequence[object]


def _english_number(number: float, places: int) -> str:
    return str(rounded(number, places))


def _english_plural(message: str, plural: str, number: int) -> str:
    return message if number == 1 else plural


def _english_work_time(seconds: float | None) -> str:
    return f"{(seconds or 0) / 3600:.1f} h"


@dataclass(frozen=True)
class Language:
    """How one language writes messages and numbers."""

    translated: Callable[[str], str] = str
    pluralised: Callable[[str, str, int], str] = _english_plural
    digits: Callable[[float, int], str] = _english_number
    work_time: Callable[[float | None], str] = _english_work_time
    # Before the number that a smaller one is below.
    below: str = "<"

    def text(self, text: Text | str) -> str:
        if isinstance(text, str):
            return text
        message = self.message(text)
        if not text.values:
            return message
        return message % {name: self.value(each) for name, each in text.values.items()}

    def message(self, text: Text) -> str:
        """Return the message of the text, with its placeholders."""
        if not text.plural:
            return self.translated(text.message)
        number = text.values["number"]
        assert isinstance(number, int)
        return self.pluralised(text.message, text.plural, number)

    def value(self, value: object) -> str:
        if isinstance(value, Text):
            return self.text(value)
        if isinstance(value, Listed):
            return ", ".join(map(self.value, value.values))
        if isinstance(value, Quantity):
            return self.number(value.number, value.places)
        return self.digits(value, 0) if isinstance(value, int) else str(value)

    def number(self, number: float | None, places: int) -> str:
        """Return the number with so many decimals; a dash if it is undefined."""
        return UNDEFINED if number is None else self.digits(number, places)


ENGLISH: Final = Language()

"""The one error that bad input raises, and how readers report it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

_PLACE = re.compile(r"(?P<file>.*?)(?:(?:^|, )line (?P<line>\d+))?", re.S)


class Template(str):
    """An English sentence with placeholders, such as "%(count)d columns".

    Imported as `_`, or `gettext_noop` where `_` is another function, so that makemessages finds it;
    pages show its translation.
    """


class InputError(ValueError):
    """Input that cannot be used; the message says what is wrong, where, and what to do.

    `template` is the sentence, with placeholders for the `values` if it is a Template, and `where`
    is its prefix: "FILE, line 3", or "line 3" of a text field. As a string, the error is all of
    this, in English.
    """

    def __init__(self, template: str, where: str = "", /, **values: str | int) -> None:
        self.template, self.where, self.values = template, where, values
        sentence = template % values if isinstance(template, Template) else template
        super().__init__(f"{where}: {sentence}" if where else sentence)

    @property
    def place(self) -> tuple[str, int]:
        """The file and the line, "" and 0 if there is none."""
        match = _PLACE.fullmatch(self.where)
        return (match["file"], int(match["line"] or 0)) if match else (self.where, 0)

    def at(self, where: str) -> "InputError":
        """Return the same error with another place."""
        return InputError(self.template, where, **self.values)

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads, perhaps in another process."""
        return {
            "template": self.template,
            "is_template": isinstance(self.template, Template),
            "where": self.where,
            "values": self.values,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "InputError":
        template = Template(data["template"]) if data["is_template"] else data["template"]
        return cls(template, data["where"], **data["values"])

    def with_names(self, names: Mapping[str, str]) -> "InputError":
        """Return the same error with paths replaced by names; `names` are by path."""

        def replaced(text: str) -> str:
            for path, name in names.items():
                text = text.replace(path, name)
            return text

        template = self.template if isinstance(self.template, Template) else replaced(self.template)
        values = {
            key: replaced(value) if isinstance(value, str) else value
            for key, value in self.values.items()
        }
        return InputError(template, replaced(self.where), **values)


def unexpected(template: Template, problem: Exception) -> InputError:
    """Return the error that tells people of a problem that no code expects, by its first line.

    `template` is the sentence, with %(kind)s and %(line)s.
    """
    line = (str(problem).strip().splitlines() or ["no message"])[0]
    return InputError(template, kind=type(problem).__name__, line=line)


# What a reader of files calls for each error. If it returns, the reader goes on after the error.
OnError = Callable[[InputError], None]


def raise_error(problem: InputError) -> None:
    raise problem

"""The one error that bad input raises."""

from collections.abc import Mapping
from typing import Any


class Template(str):
    """A sentence in English with places for values, as "%(count)d columns".

    Imported as `_`, under which name makemessages finds it: pages say it in their own language.
    """


class InputError(ValueError):
    """What people gave cannot be used; the message says what is wrong, where, and what to do.

    `said` is the sentence, with places for the `values` where it is a Template, and `where` what
    stands before it: "FILE, line 3". As a string it is all of this, in English.
    """

    def __init__(self, said: str, where: str = "", **values: str | int) -> None:
        self.said, self.where, self.values = said, where, values
        sentence = said % values if isinstance(said, Template) else said
        super().__init__(f"{where}: {sentence}" if where else sentence)

    def at(self, where: str) -> "InputError":
        """Return the same, found there."""
        return InputError(self.said, where, **self.values)

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads, in another process perhaps."""
        is_template = isinstance(self.said, Template)
        return {
            "said": self.said,
            "is_template": is_template,
            "where": self.where,
            "values": self.values,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "InputError":
        said = Template(data["said"]) if data["is_template"] else data["said"]
        return cls(said, data["where"], **data["values"])

    def calling(self, names: Mapping[str, str]) -> "InputError":
        """Return the same with files called otherwise: their names by their paths."""

        def called(text: str) -> str:
            for path, name in names.items():
                text = text.replace(path, name)
            return text

        said = self.said if isinstance(self.said, Template) else called(self.said)
        values = {
            key: called(value) if isinstance(value, str) else value
            for key, value in self.values.items()
        }
        return InputError(said, called(self.where), **values)

"""Names of annotators, systems, documents and projects: the one form in which they are compared."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

LONGEST_SYSTEM_NAME = 200

# White space and invisible characters: soft hyphen, zero-width space, word joiner, byte
# order mark, marks of direction.
_OUTER = r"[\s\u00ad\u200b\u2060\ufeff\u200e\u200f]+"
_OUTER_ENDS = re.compile(rf"\A{_OUTER}|{_OUTER}\Z")

_REFERENCE_NAME = re.compile(r"reference(?: \d+)?")


# Files repeat a few names in millions of rows.
@lru_cache(maxsize=1 << 14)
def plain_name(name: str) -> str:
    """Return the name of an annotator, system, document or project as it is stored and compared.

    That is in NFC, without white space and invisible characters at its ends. Two names that look
    alike are then the same: "Jana Nováková" composed and decomposed, "jana" and "jana" with a
    no-break space at its end.
    """
    return unicodedata.normalize("NFC", _OUTER_ENDS.sub("", name))


def find_text(text: str, known: Collection[str]) -> str | None:
    """Return the known text that is meant: this one, or else the only one with its plain form."""
    if text in known:
        return text
    plain = plain_name(text)
    alike = [other for other in known if plain_name(other) == plain]
    return alike[0] if len(alike) == 1 else None


def check_system_name(name: str, where: str) -> str:
    """Return the plain name of a system. Raise InputError for a name that no system can have."""
    plain = plain_name(name)
    if not plain or len(plain) > LONGEST_SYSTEM_NAME or not plain.isprintable():
        raise InputError(
            _("the system name %(name)r cannot be used: give 1 to %(most)d printable characters."),
            where,
            name=name[:60],
            most=LONGEST_SYSTEM_NAME,
        )
    return plain


def reference_name(number: int) -> str:
    """Return what a reference is called among systems: "reference", then "reference 2" …"""
    return "reference" if number == 1 else f"reference {number}"


def is_reference_name(name: str) -> bool:
    """Return whether the name means a reference, so that no system can have it."""
    return bool(_REFERENCE_NAME.fullmatch(name))


@dataclass
class Spellings:
    """How a file spells names of one kind, such as systems: a second spelling may mean another."""

    _plain: dict[str, str] = field(default_factory=dict)
    # By plain names: the first spelling, and its place.
    _first: dict[str, tuple[str, str]] = field(default_factory=dict)

    def plain(self, name: str, where: str) -> str:
        """Return the plain name. Raise InputError if the file has spelt it otherwise before."""
        known = self._plain.get(name)
        if known is not None:
            return known
        plain = plain_name(name)
        if plain in self._first:
            spelling, first = self._first[plain]
            raise InputError(
                _(
                    "the name %(name)s differs from %(other)s (%(first)s) only in how it is "
                    "spelt: spell both alike, or give one another name."
                ),
                where,
                name=ascii(name[:60]),
                other=ascii(spelling[:60]),
                first=first,
            )
        if plain:
            self._first[plain] = (name, where)
            self._plain[name] = plain
        return plain

    def system(self, name: str, where: str) -> str:
        """Return the same as `plain`. Raise InputError also for a name that no system can have."""
        checked = check_system_name(name, where)
        self.plain(name, where)
        return checked

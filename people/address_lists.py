"""Lists of email addresses as people paste or upload them."""

import csv
import re
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

MOST_ADDRESSES: Final = 500
LONGEST_ADDRESS: Final = 254
# Characters of a list: more than 500 lines with names need, less than `csv` refuses in a field.
LONGEST_LIST: Final = 131_000
# What may stand between the fields of a line, outside of quotation marks.
_SEPARATORS = ",;\t"


@dataclass(frozen=True)
class WrongAddress:
    """What is no email address, and the line of the list that has it, from 1."""

    line: int
    text: str


@dataclass(frozen=True)
class AddressList:
    """The addresses of a list, each once and in its order, those listed again, and wrong ones."""

    addresses: list[str]
    repeated: list[str]
    wrong: list[WrongAddress]


def read_addresses(*texts: str) -> AddressList:
    """Return the addresses of one or several lists, which differ in more than case.

    Addresses are separated by commas, semicolons, tabs, spaces or line ends, each alone or as
    `Name <address>`. In a table, other columns are ignored, and so is a first line without an
    address. A line without any, and everything with an "@" that is no address, is wrong.
    """
    found: dict[str, str] = {}
    repeated: dict[str, str] = {}
    wrong: list[WrongAddress] = []
    for text in texts:
        lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
        first = next((number for number, line in enumerate(lines, start=1) if line), 0)
        for number, line in enumerate(lines, start=1):
            parts = [part for part in _parts(line) if "@" in part]
            if line and not parts and not (number == first and _is_head(line)):
                wrong.append(WrongAddress(number, line))
            for part in parts:
                address = _address(part)
                if address is None:
                    wrong.append(WrongAddress(number, part))
                elif address.lower() in found:
                    repeated[address.lower()] = found[address.lower()]
                else:
                    found[address.lower()] = address
    return AddressList(list(found.values()), list(repeated.values()), wrong)


def _parts(line: str) -> list[str]:
    """Return the fields of a line; addresses that only spaces separate are fields of their own."""
    fields = [line]
    for separator in _SEPARATORS:
        fields = [
            part
            for field in fields
            for row in csv.reader([field], delimiter=separator, skipinitialspace=True)
            for part in row
        ]
    parts: list[str] = []
    for field in (field.strip() for field in fields):
        parts += field.split() if "<" not in field and field.count("@") > 1 else [field]
    return parts


def _is_head(line: str) -> bool:
    """Tell whether a line without addresses can be the head of a table."""
    return bool(re.search(r"mail|address|adres", line, re.IGNORECASE))


def _address(part: str) -> str | None:
    named = re.search(r"<([^<>]*)>", part)
    address = (named[1] if named else part).strip().removeprefix("mailto:")
    try:
        validate_email(address)
    except ValidationError:
        return None
    return address if len(address) <= LONGEST_ADDRESS else None

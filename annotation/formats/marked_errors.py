"""Errors that annotators mark in translations, by category and severity: MQM and ESA."""

from dataclasses import dataclass
from typing import Final

# The first character of a piece of text and the one behind its last, from 0, as Python slices.
Place = tuple[int, int]

# What is marked instead of a piece of text, where something of the source is not translated.
MISSING: Final = "[missing]"


@dataclass(frozen=True, slots=True)
class MarkedError:
    """One error of a translation.

    `severity` is in small letters ("minor", "major", "critical", "neutral"), "" if none was chosen;
    `category` as the file spells it ("Accuracy/Omission"), "" where annotators choose none.
    `places` are what is marked in the translation, `source_places` in the source. `token` is a
    token such as MISSING that was marked instead of text, else "". An error without all of these
    is one of the whole segment.
    """

    severity: str
    category: str = ""
    places: tuple[Place, ...] = ()
    source_places: tuple[Place, ...] = ()
    token: str = ""

"""The kinds of errors that annotators tell apart: their categories and severities."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Typology:
    """What can be said of a marked error.

    `categories` are names such as "Accuracy/Addition", `severities` names from the mildest, and
    `marks` those that say something of an output as a whole. `most_errors` is how many errors of a
    candidate can be marked; None is any number.
    """

    categories: tuple[str, ...]
    severities: tuple[str, ...]
    marks: tuple[str, ...] = ()
    most_errors: int | None = None

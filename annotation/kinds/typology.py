"""A project's own categories and severities of errors (MQM), one a line as the project stores them.

```
severities: neutral, minor, major
most errors: 5
marks: Non-translation!, [missing]
Accuracy/Addition
Accuracy/Mistranslation
Other
```

The severities are in order, the mildest first; those that no publication knows have their points
behind them ("severe 10"). "most errors" and "marks" may be left out. A mark is said of a whole
translation. All other lines are categories; what is before the first "/" is a group of them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from annotation.formats.error_points import EXPERTS, KNOWN_SEVERITIES, ErrorWeights
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.span_notation import (
    LONGEST_CATEGORY,
    LONGEST_SEVERITY,
    WHOLE,
    Span,
    written_span,
)

SEVERITIES: Final = "severities"
MOST_ERRORS: Final = "most errors"
MARKS: Final = "marks"
# Lines, categories or not.
MOST_LINES: Final = 100

_NAMED = re.compile(rf"({SEVERITIES}|{MOST_ERRORS}|{MARKS}) *:(.*)", re.IGNORECASE)
_SEVERITY = re.compile(rf"(\S{{1,{LONGEST_SEVERITY}}})(?: +([0-9]{{1,3}}(?:\.[0-9])?))?")


@dataclass(frozen=True)
class Group:
    """Categories with the same first part; each has the name of its second one, and its whole name.

    A category without a second part is a group of its own, whose only name is "".
    """

    name: str
    categories: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Typology:
    """What an annotator says of an error. `severities` are from the mildest to the worst.

    `marks` are categories of whole translations, `most_errors` the largest number of errors in one
    translation, None for any. `own_points` are those of the severities that the published weights
    do not know.
    """

    categories: tuple[str, ...]
    severities: tuple[str, ...] = ("neutral", "minor", "major")
    marks: tuple[str, ...] = ()
    most_errors: int | None = None
    own_points: tuple[tuple[str, float], ...] = ()

    @property
    def groups(self) -> tuple[Group, ...]:
        """The categories by their first parts, in their order."""
        found = []
        for name, of_group in groupby(self.categories, lambda each: each.partition("/")[0]):
            found.append(Group(name, tuple((each.partition("/")[2], each) for each in of_group)))
        return tuple(found)

    @property
    def lines(self) -> tuple[str, ...]:
        """The typology as a project stores it, without empty lines."""
        points = dict(self.own_points)
        severities = (
            f"{each} {points[each]:g}" if each in points else each for each in self.severities
        )
        most = [] if self.most_errors is None else [f"{MOST_ERRORS}: {self.most_errors}"]
        marks = [f"{MARKS}: {', '.join(self.marks)}"] if self.marks else []
        return f"{SEVERITIES}: {', '.join(severities)}", *most, *marks, *self.categories

    def weights(self, published: ErrorWeights = EXPERTS) -> ErrorWeights:
        """Return the weights with the points of the project's own severities."""
        return replace(published, own=self.own_points)

    def points(self, spans: Iterable[Span], published: ErrorWeights = EXPERTS) -> float:
        """Return the points of all errors of a translation."""
        return self.weights(published).sum(spans)

    def check(self, spans: Sequence[Span]) -> None:
        """Raise InputError for an unknown severity or category, and for too many errors."""
        for span in spans:
            if span.severity not in self.severities:
                raise InputError(
                    _("“%(span)s”: there is no such severity; choose one of %(known)s."),
                    span=written_span(span),
                    known=", ".join(self.severities),
                )
            if span.category not in (self.marks if span.side == WHOLE else self.categories):
                raise InputError(
                    _("“%(span)s”: this project has no such category of errors."),
                    span=written_span(span),
                )
        if self.most_errors is not None and len(spans) > self.most_errors:
            raise InputError(
                _("Mark the %(most)d worst errors at most: %(n)d are marked."),
                most=self.most_errors,
                n=len(spans),
            )


def parse_typology(lines: Sequence[str]) -> Typology:
    """Return the typology that these lines describe; empty ones are ignored.

    Raises InputError, with the number of the line, for what they cannot mean, and for a typology
    without categories.
    """
    if len([line for line in lines if line.strip()]) > MOST_LINES:
        raise InputError(_("Give at most %(most)d lines."), most=MOST_LINES)
    typology = Typology(())
    said: set[str] = set()
    for number, text in enumerate(lines, start=1):
        line = text.strip()
        if not line:
            continue
        try:
            named = _NAMED.fullmatch(line)
            if named is None:
                _check_category(line, typology.categories)
                typology = replace(typology, categories=(*typology.categories, line))
                continue
            name, value = named[1].lower(), named[2].strip()
            if name in said:
                raise InputError(_("“%(name)s” is given twice: keep one line."), name=name)
            said.add(name)
            typology = _with(typology, name, value)
        except InputError as problem:
            raise problem.at(f"line {number}") from None
    if not typology.categories:
        raise InputError(_("Give the categories of errors, one a line."))
    return typology


def _with(typology: Typology, name: str, value: str) -> Typology:
    if name == MOST_ERRORS:
        if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= 99):
            raise InputError(_("“most errors” is a number from 1 to 99."))
        return replace(typology, most_errors=int(value))
    parts = [part.strip() for part in value.split(",")]
    if name == MARKS:
        for place, mark in enumerate(parts):
            _check_category(mark, parts[:place])
        return replace(typology, marks=tuple(parts))
    severities: list[str] = []
    points: list[tuple[str, float]] = []
    for part in parts:
        match = _SEVERITY.fullmatch(part)
        if match is None:
            raise InputError(
                _(
                    "“%(part)s” is no severity: write one word of up to %(most)d characters, with "
                    "its points behind it if you have invented it, such as “severe 10”."
                ),
                part=part[:40],
                most=LONGEST_SEVERITY,
            )
        severity = match[1].lower()
        if severity in severities:
            raise InputError(_("The severity %(severity)s is given twice."), severity=severity)
        if (severity in KNOWN_SEVERITIES) == (match[2] is not None):
            raise InputError(
                _("The severity %(severity)s has its published points: leave out the number.")
                if match[2]
                else _(
                    "Write the points of the severity %(severity)s behind it, such as "
                    "“%(severity)s 10”."
                ),
                severity=severity,
            )
        severities.append(severity)
        if match[2]:
            points.append((severity, float(match[2])))
    return replace(typology, severities=tuple(severities), own_points=tuple(points))


def _check_category(name: str, others: Sequence[str]) -> None:
    if not name or len(name) > LONGEST_CATEGORY or not name.isprintable() or "," in name:
        raise InputError(
            _(
                "“%(name)s” cannot be a category: use up to %(most)d printable characters without "
                "a comma."
            ),
            name=name[:40],
            most=LONGEST_CATEGORY,
        )
    if "" in (part.strip() for part in name.split("/")):
        raise InputError(
            _("“%(name)s”: write a category as Accuracy/Omission, with names around the /."),
            name=name,
        )
    if name in others:
        raise InputError(_("The category %(name)s is given twice."), name=name)


# The names are those of the published files; the last one is said of a whole translation.
FREITAG: Final = Typology(
    categories=(
        "Accuracy/Addition",
        "Accuracy/Mistranslation",
        "Accuracy/Omission",
        "Accuracy/Untranslated text",
        "Fluency/Character encoding",
        "Fluency/Display",
        "Fluency/Grammar",
        "Fluency/Inconsistency",
        "Fluency/Punctuation",
        "Fluency/Register",
        "Fluency/Spelling",
        "Terminology/Inappropriate for context",
        "Terminology/Inconsistent use of terminology",
        "Style/Awkward",
        "Locale convention/Address format",
        "Locale convention/Currency format",
        "Locale convention/Date format",
        "Locale convention/Name format",
        "Locale convention/Telephone format",
        "Locale convention/Time format",
        "Other",
        "Source error",
    ),
    marks=("Non-translation!",),
)

"""Marked errors of a translation as a short text: "0-12 minor, 20-31 major, missing major".

A span has the number of its first character and that behind its last one, from 0, as Python slices
count them. "missing" says that something of the source is not in the translation. With a typology,
an error has a category behind its severity, "source" stands before a span of the source, and
"whole" says that the translation as a whole is wrong: "0-12 major Accuracy/Mistranslation, source
3-9 minor Accuracy/Omission, whole major Non-translation". Errors are in their order, so each text
is written in one way. No marked error is "".
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

MINOR: Final = "minor"
MAJOR: Final = "major"
SEVERITIES: Final = (MINOR, MAJOR)
# Where an error is: in the translation, in the source, in neither, or in all of it.
TARGET: Final = "target"
SOURCE: Final = "source"
MISSING: Final = "missing"
WHOLE: Final = "whole"
SIDES: Final = (TARGET, SOURCE, MISSING, WHOLE)
# What the severities of other protocols are without a typology; "" for those that are no errors.
_PLAIN: Final = {"critical": MAJOR, "neutral": ""}
# Longer texts are refused before they are parsed.
LONGEST: Final = 20_000

_SPAN = re.compile(
    rf"(?:(?P<start>[0-9]{{1,6}})-(?P<end>[0-9]{{1,6}})|{MISSING}) (?P<severity>\w+)"
)


class Span(NamedTuple):
    """One marked error; `start` and `end` are None where it is missing, or the whole text."""

    start: int | None
    end: int | None
    severity: str
    side: str = TARGET
    category: str = ""

    @property
    def is_omission(self) -> bool:
        return self.side == MISSING


def parse_spans(text: str, length: int | None = None) -> tuple[Span, ...]:
    """Return the spans in their order, an omission last.

    `length` is the number of characters of the marked text, if it is known. Raises InputError for
    anything that `write_spans` would not have written, but for spaces.
    """
    if len(text) > LONGEST:
        raise InputError(_("There are too many marked errors."))
    spans = [_span(part.strip()) for part in text.split(",")] if text.strip() else []
    ordered = tuple(sorted(spans, key=_place))
    if sum(span.is_omission for span in spans) > 1:
        raise InputError(_("“missing” can be marked once only."))
    end = 0
    for span in ordered:
        if span.start is None or span.end is None:
            continue
        if span.start < end:
            raise InputError(
                _("The marked error %(span)s overlaps another one."), span=_written(span)
            )
        if span.start >= span.end or (length is not None and span.end > length):
            raise InputError(
                _("The marked error %(span)s is not within the text."), span=_written(span)
            )
        end = span.end
    return ordered


def write_spans(spans: Iterable[Span]) -> str:
    """Return the text of these spans, in their order."""
    return ", ".join(_written(span) for span in sorted(spans, key=_place))


def plain_spans(spans: Iterable[Span], length: int) -> tuple[Span, ...]:
    """Return errors of any protocol as annotators without a typology could have marked them.

    `length` is that of the translation. A critical error is a major one, and a neutral one is none.
    What is marked in the source is missing from the translation, and what is wrong as a whole is
    marked from its beginning to its end. Errors that overlap become one, which is as severe as the
    worst of them. Raises InputError for other severities, and errors that are not in the text.
    """
    missing: list[str] = []
    places: list[tuple[int, int, str]] = []
    for span in spans:
        severity = _PLAIN.get(span.severity, span.severity)
        if not severity:
            continue
        if severity not in SEVERITIES:
            raise InputError(
                _("the severity %(severity)r is unknown; known are %(known)s."),
                severity=severity[:40],
                known=", ".join((*SEVERITIES, *_PLAIN)),
            )
        if span.side in (SOURCE, MISSING):
            missing.append(severity)
        elif span.start is None or span.end is None:
            places.append((0, length, severity))
        else:
            places.append((span.start, span.end, severity))
    marked: list[Span] = []
    for start, end, severity in sorted(places):
        before = marked[-1] if marked else None
        if before and before.end is not None and start < before.end:
            worst = max(before.severity, severity, key=SEVERITIES.index)
            marked[-1] = before._replace(end=max(before.end, end), severity=worst)
        else:
            marked.append(Span(start, end, severity))
    if missing:
        marked.append(Span(None, None, max(missing, key=SEVERITIES.index), MISSING))
    return parse_spans(write_spans(marked), length)


def carried(spans: Iterable[Span], before: str, after: str) -> tuple[Span, ...]:
    """Return the spans of a text in another version of it, such as a degraded one.

    Those that touch what differs between the beginning and the end that both share are left out.
    """
    least = min(len(before), len(after))
    same = next((n for n in range(least) if before[n] != after[n]), least)
    left = least - same
    behind = next((n for n in range(left) if before[-n - 1] != after[-n - 1]), left)
    moved = len(after) - len(before)
    found = []
    for span in spans:
        if span.side != TARGET or span.start is None or span.end is None or span.end <= same:
            found.append(span)
        elif span.start >= len(before) - behind:
            found.append(span._replace(start=span.start + moved, end=span.end + moved))
    return tuple(found)


def code_units(text: str) -> list[int]:
    """Return by position in `text` the position in JavaScript, and that of its end.

    Appraise and Pearmut number characters as JavaScript does: those outside the Basic Multilingual
    Plane count twice.
    """
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if ord(character) > 0xFFFF else 1))
    return units


def _span(text: str) -> Span:
    match = _SPAN.fullmatch(text)
    if match is None or match["severity"] not in SEVERITIES:
        raise InputError(
            _(
                "The marked error “%(text)s” is not such as “0-12 minor”, “20-31 major” or "
                "“missing major”."
            ),
            text=text[:40],
        )
    if match["start"] is None:
        return Span(None, None, match["severity"], MISSING)
    return Span(int(match["start"]), int(match["end"]), match["severity"])


def _place(span: Span) -> tuple[bool, int, int]:
    return span.is_omission, span.start or 0, span.end or 0


def _written(span: Span) -> str:
    place = MISSING if span.is_omission else f"{span.start}-{span.end}"
    return f"{place} {span.severity}"

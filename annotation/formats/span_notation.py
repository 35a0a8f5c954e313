"""Marked errors of a translation as a short text: "0-12 minor, 20-31 major, missing major".

A span has the number of its first character and that behind its last one, from 0, as Python slices
count them. "missing" says that something of the source is not in the translation. With a typology,
an error has a category behind its severity, "source" stands before a span of the source, and
"whole" says that the translation as a whole is wrong: "0-12 major Accuracy/Mistranslation, source
3-9 minor Accuracy/Omission, whole major Non-translation". Errors are in their order, so each text
is written in one way. No marked error is "".

Which severities and categories there are, and whether errors may overlap, is the answer's business
(`annotation.kinds.marked_errors`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
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
# Characters of a text, which is refused before it is parsed, of a severity, and of a category.
LONGEST: Final = 20_000
LONGEST_SEVERITY: Final = 20
LONGEST_CATEGORY: Final = 80

_SPAN = re.compile(
    rf"(?:(?P<source>{SOURCE} )?(?P<start>[0-9]{{1,6}})-(?P<end>[0-9]{{1,6}})"
    rf"|(?P<side>{MISSING}|{WHOLE})) (?P<severity>[^\s,]+)(?: (?P<category>\S[^\r\n]*))?"
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


def parse_spans(
    text: str, length: int | None = None, source_length: int | None = None
) -> tuple[Span, ...]:
    """Return the spans in their order: of the translation, of the source, missing, whole.

    `length` and `source_length` are the numbers of characters of the translation and of the source,
    if they are known. Raises InputError for anything that `write_spans` would not have written, but
    for spaces.
    """
    if len(text) > LONGEST:
        raise InputError(_("There are too many marked errors."))
    spans = [_span(part.strip()) for part in text.split(",")] if text.strip() else []
    ordered = tuple(sorted(spans, key=in_order_of))
    lengths = {TARGET: length, SOURCE: source_length}
    for span in ordered:
        if span.start is None or span.end is None:
            continue
        most = lengths[span.side]
        if span.start >= span.end or (most is not None and span.end > most):
            raise InputError(
                _("The marked error %(span)s is not within the text."), span=written_span(span)
            )
    for one, other in pairwise(ordered):
        if in_order_of(one) == in_order_of(other):
            raise InputError(
                _("“%(span)s” is marked twice: keep one of them."), span=written_span(one)
            )
    return ordered


def write_spans(spans: Iterable[Span]) -> str:
    """Return the text of these spans, in their order."""
    return ", ".join(written_span(span) for span in sorted(spans, key=in_order_of))


def written_span(span: Span) -> str:
    """Return the text of one span."""
    place = span.side if span.start is None else f"{span.start}-{span.end}"
    source = f"{SOURCE} " if span.side == SOURCE else ""
    category = f" {span.category}" if span.category else ""
    return f"{source}{place} {span.severity}{category}"


def in_order_of(span: Span) -> tuple[int, int, int, str]:
    """Return what spans are sorted by; an answer has one error with the same place and category."""
    return SIDES.index(span.side), span.start or 0, span.end or 0, span.category


def stretches(
    spans: Iterable[Span], severities: Sequence[str] = SEVERITIES
) -> Iterator[tuple[int, int, str]]:
    """Yield the marked stretches of the translation in order, with start, end and severity.

    Where errors overlap, a stretch has the worst severity; these are from the mildest to the worst.
    """
    places = [(one.start or 0, one.end or 0, one.severity) for one in spans if one.side == TARGET]
    borders = sorted({border for start, end, _severity in places for border in (start, end)})
    for start, end in pairwise(borders):
        inside = [severity for first, last, severity in places if first <= start and end <= last]
        if inside:
            yield start, end, max(inside, key=severities.index)


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
    if (
        match is None
        or len(match["severity"]) > LONGEST_SEVERITY
        or len(match["category"] or "") > LONGEST_CATEGORY
    ):
        raise InputError(
            _(
                "The marked error “%(text)s” is not such as “0-12 minor”, “20-31 major” or "
                "“missing major”."
            ),
            text=text[:40],
        )
    severity, category = match["severity"], match["category"] or ""
    if match["start"] is None:
        return Span(None, None, severity, match["side"], category)
    side = SOURCE if match["source"] else TARGET
    return Span(int(match["start"]), int(match["end"]), severity, side, category)

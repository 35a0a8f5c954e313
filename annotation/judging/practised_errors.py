"""The errors that an annotator marked in a practice sentence, beside those of the gold answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from annotation.formats.span_notation import (
    MISSING,
    SEVERITIES,
    SOURCE,
    TARGET,
    Span,
    parse_spans,
    stretches,
)

# A text in pieces with the severity of the error that they are in, the worst of several, or "".
MarkedPieces = list[tuple[str, str]]


@dataclass(frozen=True)
class ListedError:
    """A marked error: `text` is the marked piece of the translation or of the source, or "".

    `side` is as in `span_notation`, `category` is "" without a typology. An expected error
    `is_found` or not, and can have a `reason`; `found_as` are the severity and the category of the
    mark that found it, both "" where they are the expected ones.
    """

    text: str
    side: str
    severity: str
    category: str
    is_found: bool = False
    found_as: tuple[str, str] = ("", "")
    reason: str = ""


@dataclass(frozen=True)
class MarkedCard:
    """A translation with both scores and both markings; an omission is a severity, or "".

    `your_errors` and `gold_errors` are all of them in their order. `found` of the `expected` gold
    errors have a character that the annotator marked, or are missing or of the whole translation
    too; each of the annotator's errors finds one of them. `besides` is the number of errors where
    the gold answer has none. `gold_score` is the highest that is right, and `lowest_score` the
    lowest where there is a range. `reason` says why the translation has this score. `number` is
    that of the card in its segment.
    """

    yours: MarkedPieces
    gold: MarkedPieces
    your_omission: str
    gold_omission: str
    your_errors: list[ListedError]
    gold_errors: list[ListedError]
    your_score: int | None
    gold_score: int | None
    found: int
    expected: int
    besides: int
    lowest_score: int | None = None
    reason: str = ""
    number: int = 1

    @property
    def beside_range(self) -> str:
        """Whether the score is "too low" or "too high" for the range; "" in it, or without one."""
        if self.your_score is None or self.gold_score is None or self.lowest_score is None:
            return ""
        if self.your_score > self.gold_score:
            return "too high"
        return "too low" if self.your_score < self.lowest_score else ""

    @property
    def has_reasons(self) -> bool:
        return bool(self.reason) or any(error.reason for error in self.gold_errors)


def compare_marks(
    text: str,
    yours: str,
    gold: str,
    severities: Sequence[str] = SEVERITIES,
    your_score: int | None = None,
    gold_score: int | None = None,
    source: str = "",
    lowest_score: int | None = None,
    reasons: Sequence[str] = (),
    number: int = 1,
) -> MarkedCard:
    """Return both markings, which come in the notation of `span_notation`.

    `severities` are from the mildest to the worst. `reasons` are that of the translation, then
    those of the gold errors in their order.
    """
    marked, expected = parse_spans(yours), parse_spans(gold)
    found = _found(expected, marked)
    reason, *of_errors = reasons or ("",)
    return MarkedCard(
        yours=pieces_of(text, marked, severities),
        gold=pieces_of(text, expected, severities),
        your_omission=_omission(marked),
        gold_omission=_omission(expected),
        your_errors=list(listed(marked, text, source)),
        gold_errors=[
            replace(
                error,
                is_found=place in found,
                found_as=_as(marked[found[place]], expected[place]) if place in found else ("", ""),
                reason=why or "",
            )
            for place, (error, why) in enumerate(
                zip_longest(listed(expected, text, source), of_errors[: len(expected)])
            )
        ],
        your_score=your_score,
        gold_score=gold_score,
        found=len(found),
        expected=len(expected),
        besides=sum(not any(_meet(one, other) for other in expected) for one in marked),
        lowest_score=lowest_score,
        reason=reason,
        number=number,
    )


def pieces_of(
    text: str, spans: Sequence[Span], severities: Sequence[str] = SEVERITIES
) -> MarkedPieces:
    """Return the text in pieces; joined they are all of it."""
    pieces: MarkedPieces = []
    last = 0
    for start, end, severity in stretches(spans, severities):
        pieces += [(text[last:start], ""), (text[start:end], severity)]
        last = end
    pieces.append((text[last:], ""))
    return [piece for piece in pieces if piece[0]]


def listed(spans: Sequence[Span], text: str, source: str) -> Iterator[ListedError]:
    """Yield the errors with the texts that are marked."""
    texts = {TARGET: text, SOURCE: source}
    for span in spans:
        piece = "" if span.start is None else texts[span.side][span.start : span.end]
        yield ListedError(piece, span.side, span.severity, span.category)


def _omission(spans: Sequence[Span]) -> str:
    return next((span.severity for span in spans if span.is_omission), "")


def _found(expected: Sequence[Span], marked: Sequence[Span]) -> dict[int, int]:
    """Return which marks find expected errors, by the places of these: as many as possible.

    Each marked error finds one, so that a mark of the whole text does not find all.
    """
    finds: dict[int, int] = {}

    def is_found(place: int, tried: set[int]) -> bool:
        for mark, span in enumerate(marked):
            if mark not in tried and _meet(span, expected[place]):
                tried.add(mark)
                if mark not in finds or is_found(finds[mark], tried):
                    finds[mark] = place
                    return True
        return False

    for place in range(len(expected)):
        is_found(place, set())
    return {place: mark for mark, place in finds.items()}


def _as(mark: Span, expected: Span) -> tuple[str, str]:
    """Return severity and category of the mark, each "" where it is the expected one."""
    return (
        "" if mark.severity == expected.severity else mark.severity,
        "" if mark.category == expected.category else mark.category,
    )


def _meet(one: Span, other: Span) -> bool:
    if one.side != other.side:
        # What is missing can be marked where it stands in the source; other categories mean that
        # the source itself is wrong.
        same = one.category == other.category
        return same and {one.side, other.side} == {SOURCE, MISSING}
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return True
    return one.start < other.end and other.start < one.end

"""The errors that an annotator marked in a practice sentence, beside those of the gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.formats.span_notation import Span, parse_spans

# A text in pieces with the severity of the error that they are in, or "".
MarkedPieces = list[tuple[str, str]]


@dataclass(frozen=True)
class MarkedCard:
    """A translation with both scores and both markings; an omission is a severity, or "".

    `found` of the `expected` gold errors have a character that the annotator marked, or are an
    omission that they reported, too. `besides` is the number of errors where the gold answer has
    none.
    """

    yours: MarkedPieces
    gold: MarkedPieces
    your_omission: str
    gold_omission: str
    your_score: int | None
    gold_score: int | None
    found: int
    expected: int
    besides: int


def compare_marks(
    text: str,
    yours: str,
    gold: str,
    your_score: int | None = None,
    gold_score: int | None = None,
) -> MarkedCard:
    """Return both markings, which come in the notation of `span_notation`."""
    marked, expected = parse_spans(yours), parse_spans(gold)
    return MarkedCard(
        yours=pieces_of(text, marked),
        gold=pieces_of(text, expected),
        your_omission=_omission(marked),
        gold_omission=_omission(expected),
        your_score=your_score,
        gold_score=gold_score,
        found=_met(expected, marked),
        expected=len(expected),
        besides=len(marked) - _met(marked, expected),
    )


def pieces_of(text: str, spans: Sequence[Span]) -> MarkedPieces:
    """Return the text in pieces; joined they are all of it."""
    pieces: MarkedPieces = []
    last = 0
    for span in spans:
        if span.start is None or span.end is None:
            continue
        pieces += [(text[last : span.start], ""), (text[span.start : span.end], span.severity)]
        last = span.end
    pieces.append((text[last:], ""))
    return [piece for piece in pieces if piece[0]]


def _omission(spans: Sequence[Span]) -> str:
    return next((span.severity for span in spans if span.is_omission), "")


def _met(spans: Sequence[Span], others: Sequence[Span]) -> int:
    """Return how many of the spans share a character with one of the others; omissions with one."""
    return sum(any(_meet(span, other) for other in others) for span in spans)


def _meet(one: Span, other: Span) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return one.is_omission and other.is_omission
    return one.start < other.end and other.start < one.end

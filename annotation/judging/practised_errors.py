"""The errors that an annotator marked in a practice sentence, beside those of the gold answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.formats.span_notation import (
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

    `side` is as in `span_notation`, `category` is "" without a typology.
    """

    text: str
    side: str
    severity: str
    category: str


@dataclass(frozen=True)
class MarkedCard:
    """A translation with both scores and both markings; an omission is a severity, or "".

    `your_errors` and `gold_errors` are all of them in their order. `found` of the `expected` gold
    errors have a character that the annotator marked, or are missing or of the whole translation
    too. `besides` is the number of errors where the gold answer has none.
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


def compare_marks(
    text: str,
    yours: str,
    gold: str,
    severities: Sequence[str] = SEVERITIES,
    your_score: int | None = None,
    gold_score: int | None = None,
    source: str = "",
) -> MarkedCard:
    """Return both markings, which come in the notation of `span_notation`.

    `severities` are from the mildest to the worst.
    """
    marked, expected = parse_spans(yours), parse_spans(gold)
    return MarkedCard(
        yours=pieces_of(text, marked, severities),
        gold=pieces_of(text, expected, severities),
        your_omission=_omission(marked),
        gold_omission=_omission(expected),
        your_errors=list(listed(marked, text, source)),
        gold_errors=list(listed(expected, text, source)),
        your_score=your_score,
        gold_score=gold_score,
        found=_met(expected, marked),
        expected=len(expected),
        besides=len(marked) - _met(marked, expected),
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


def _met(spans: Sequence[Span], others: Sequence[Span]) -> int:
    """Return how many of the spans share a character with one of the others; omissions with one."""
    return sum(any(_meet(span, other) for other in others) for span in spans)


def _meet(one: Span, other: Span) -> bool:
    if one.side != other.side:
        return False
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return True
    return one.start < other.end and other.start < one.end

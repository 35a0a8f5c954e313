"""What annotators judge at a time: segments, a sentence, one translation, or a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from django.utils.translation import gettext as _

from annotation.formats.tokens import GAP
from annotation.kinds.unit_words import (
    OF_DOCUMENTS,
    OF_SEGMENTS,
    OF_SENTENCES,
    OF_TRANSLATIONS,
    Words,
)


class OfDocument(Protocol):
    """A segment as shown, which may be the document itself."""

    @property
    def of_document(self) -> bool: ...


@dataclass(frozen=True)
class Unit:
    """What one judgement is about, and what a sheet shows.

    `most_cards` says how many different texts a sheet shows of a segment; where there are more, it
    is a random choice. None is all.
    """

    words: ClassVar[Words]
    # What a narrow screen shows first, if candidates have a board: "board", or "list" where they
    # are so long that the ranks would be far from the cards.
    narrow_view: ClassVar[str] = "list"
    # Sentences are parsed and aligned to cut them, and their translations, into segments. Else a
    # sentence is its only segment.
    is_segmented: ClassVar[bool] = False
    # A sheet has several segments, or paragraphs, each with a judgement of its own.
    has_parts: ClassVar[bool] = False
    # A sheet is a document, or a part of it, and a line without a document is one by itself. Then
    # results are for other documents.
    is_document: ClassVar[bool] = False
    # A sheet has several candidates, which have an order. Else there is neither κ nor a tie.
    compares_candidates: ClassVar[bool] = True
    # A project can divide its sheets into the batches of WMT's direct assessment.
    has_batches: ClassVar[bool] = False
    # The choices of its preparation, by their names in PrepareOptions, besides those of segments.
    choices: ClassVar[tuple[str, ...]] = ()

    most_cards: int | None = None

    def heading(self, number: int, count: int) -> str:
        """Return the heading of a segment of the sheet, which has so many of them."""
        return _("Translations")

    def heading_among(self, number: int, segments: Sequence[OfDocument]) -> str:
        """Return the heading of the segment with this number, from 1, of a sheet with these."""
        if segments[number - 1].of_document:
            return _("The whole document")
        return self.heading(number, sum(not segment.of_document for segment in segments))

    def parts(self, candidate: str) -> list[str]:
        """Return the parts of a candidate between which words of the translation are left out."""
        return [candidate]


@dataclass(frozen=True)
class SegmentsOfSentence(Unit):
    """A sheet is a sentence with a few of its segments; a judgement is about one segment."""

    words: ClassVar[Words] = OF_SEGMENTS
    narrow_view: ClassVar[str] = "board"
    is_segmented: ClassVar[bool] = True
    has_parts: ClassVar[bool] = True

    def heading(self, number: int, count: int) -> str:
        return _("Segment %(number)s of %(count)s") % {"number": number, "count": count}

    def parts(self, candidate: str) -> list[str]:
        return candidate.split(GAP)


@dataclass(frozen=True)
class SentenceWithTranslations(Unit):
    """A sheet is a sentence, which is its only segment, with all its different translations."""

    words: ClassVar[Words] = OF_SENTENCES


@dataclass(frozen=True)
class OneTranslation(Unit):
    """A sheet is one translation of a sentence: each different one is a row of its own."""

    words: ClassVar[Words] = OF_TRANSLATIONS
    compares_candidates: ClassVar[bool] = False
    has_batches: ClassVar[bool] = True
    choices: ClassVar[tuple[str, ...]] = ("batches", "seed")

    def heading(self, number: int, count: int) -> str:
        return _("Translation")


@dataclass(frozen=True)
class DocumentOfSystem(OneTranslation):
    """A sheet is a document, or a part of it, as one system translated it.

    Each paragraph, a line of the texts, is the segment of a row of its own. The sheet can have one
    more segment: the document as a whole.
    """

    words: ClassVar[Words] = OF_DOCUMENTS
    has_parts: ClassVar[bool] = True
    is_document: ClassVar[bool] = True
    has_batches: ClassVar[bool] = False
    choices: ClassVar[tuple[str, ...]] = (
        *("sheet_choice", "sheets_of_document", "first_documents"),
        *("sheet_paragraphs", "rate_documents", "seed"),
    )

    def heading(self, number: int, count: int) -> str:
        return _("Paragraph %(number)s of %(count)s") % {"number": number, "count": count}


@dataclass(frozen=True)
class DocumentOfSystems(DocumentOfSystem):
    """The same as several systems translated it, beside each other.

    Equal translations of a paragraph are one candidate, which is judged once.
    """

    compares_candidates: ClassVar[bool] = True
    choices: ClassVar[tuple[str, ...]] = ("sheet_systems", *DocumentOfSystem.choices)

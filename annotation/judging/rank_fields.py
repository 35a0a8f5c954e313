"""The fields of the judging form: radio buttons of each card, or its score, and its detail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.aligned_words import Words
from annotation.judging.columns import SharedColumn
from annotation.judging.document_texts import Paragraph
from annotation.judging.sheet import Pieces, SegmentSheet, Sheet
from annotation.projects.media import ShownMedium


@dataclass(frozen=True)
class CardFields:
    """The fields of one card; `placed` is the rank that is checked, "" for none.

    `score` is the same as a score, None without one; `detail` is in the notation of the kind, and
    `parts` are those of its answer: see `Answer.parts_of`.
    """

    key: str
    text: str
    ranks: int
    placed: str
    missing: bool
    whole: Sequence[Pieces] = ()
    in_context: bool = False
    scale: tuple[str, ...] = ()
    score: int | None = None
    detail: str = ""
    words: Words | None = None
    whole_words: Sequence[Words | None] = ()
    parts: Sequence[Any] = ()


@dataclass(frozen=True)
class SegmentFields:
    """One segment of the judging form.

    `comment` is the annotator's, None where the form has none; `why` is the field for an
    explanation, if there is one.
    """

    pieces: Pieces
    cards: list[CardFields]
    is_whole: bool = False
    comment: str | None = None
    why: forms.BoundField | None = None
    paragraph: Paragraph | None = None
    untranslated: Sequence[Paragraph] = ()
    of_document: bool = False
    shared: Sequence[SharedColumn] = ()
    media: Sequence[ShownMedium] = ()

    @property
    def ranks(self) -> range:
        return range(1, len(self.cards) + 1)


def judgement_fields(
    sheet: Sheet,
    choices: dict[str, int | None],
    *,
    complain: bool,
    comments: Mapping[str, str] | None = None,
    details: Mapping[str, str] | None = None,
) -> list[SegmentFields]:
    """Return the fields of the sheet with these choices and details.

    `complain` marks the cards without a choice. `comments` are by the number of the segment; None
    for a form without comments.
    """
    return [
        SegmentFields(
            pieces=segment.pieces,
            is_whole=segment.is_whole,
            paragraph=segment.paragraph,
            untranslated=segment.untranslated,
            of_document=segment.of_document,
            shared=segment.shared,
            media=segment.media,
            cards=_card_fields(segment, choices, details or {}, complain),
            comment=None if comments is None else comments.get(str(number), ""),
        )
        for number, segment in enumerate(sheet.segments, start=1)
    ]


def _card_fields(
    segment: SegmentSheet,
    choices: dict[str, int | None],
    details: Mapping[str, str],
    complain: bool,
) -> list[CardFields]:
    return [
        CardFields(
            key=card.key,
            text=card.text,
            ranks=len(segment.ranks),
            placed=_place(choices[card.key]) if card.key in choices else "",
            missing=complain
            and not segment.answer.is_judged(
                details.get(card.key, ""), is_chosen=card.key in choices
            ),
            whole=card.whole,
            in_context=card.in_context,
            scale=tuple(map(str, segment.answer.labels)),
            score=segment.answer.score_of(choices.get(card.key)),
            detail=details.get(card.key, ""),
            words=card.words,
            whole_words=card.whole_words,
            parts=segment.answer.parts_of(details.get(card.key, "")),
        )
        for card in segment.cards
    ]


def _place(rank: int | None) -> str:
    return GARBAGE if rank is None else str(rank)

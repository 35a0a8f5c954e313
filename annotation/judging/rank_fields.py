"""The radio buttons of the judging form: one for each rank of each card, and garbage."""

from dataclasses import dataclass

from django import forms

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.sheet import SegmentSheet, Sheet


@dataclass(frozen=True)
class CardFields:
    """The radio buttons of one card; `placed` is the value that is checked, "" for none."""

    key: str
    text: str
    ranks: int
    placed: str
    missing: bool


@dataclass(frozen=True)
class SegmentFields:
    """One segment of the judging form; `why` is the field for an explanation, if there is one."""

    pieces: list[tuple[str, bool]]
    cards: list[CardFields]
    why: forms.BoundField | None = None

    @property
    def ranks(self) -> range:
        return range(1, len(self.cards) + 1)


def judgement_fields(
    sheet: Sheet, choices: dict[str, int | None], *, complain: bool
) -> list[SegmentFields]:
    """Return the radio buttons of the sheet with these choices checked.

    `complain` marks the cards without a choice.
    """
    return [
        SegmentFields(
            pieces=segment.pieces,
            cards=_card_fields(segment, choices, complain),
        )
        for segment in sheet.segments
    ]


def _card_fields(
    segment: SegmentSheet, choices: dict[str, int | None], complain: bool
) -> list[CardFields]:
    return [
        CardFields(
            key=card.key,
            text=card.text,
            ranks=len(segment.ranks),
            placed=_place(choices[card.key]) if card.key in choices else "",
            missing=complain and card.key not in choices,
        )
        for card in segment.cards
    ]


def _place(rank: int | None) -> str:
    return GARBAGE if rank is None else str(rank)

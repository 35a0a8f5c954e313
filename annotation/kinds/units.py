"""What annotators judge at a time: segments of a sentence, a sentence, or one translation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.formats.tokens import GAP


@dataclass(frozen=True)
class Words:
    """What pages, messages and files call what is judged; all words are lazily translated.

    `judgements` and `seconds` head the number of judgements and the time of one. `judged` says what
    counts as a judgement. `sheets` heads a number of sheets, and `sheets_judged` of those judged;
    `judged_sheets` says what counts as one. `counted_sheets` returns "79 translations".
    """

    judgements: Any
    seconds: Any
    judged: Any
    sheets: Any
    sheets_judged: Any
    judged_sheets: Any
    counted_sheets: Callable[[int], str]


def counted_sentences(number: int) -> str:
    words = ngettext("%(number)s sentence", "%(number)s sentences", number)
    return words % {"number": number_format(number, force_grouping=True)}


def counted_translations(number: int) -> str:
    words = ngettext("%(number)s translation", "%(number)s translations", number)
    return words % {"number": number_format(number, force_grouping=True)}


_SENTENCES: Final[dict[str, Any]] = {
    "sheets": _("Sentences"),
    "sheets_judged": _("Sentences judged"),
    "judged_sheets": _(
        "Different sentences judged; one that was judged several times counts once."
    ),
    "counted_sheets": counted_sentences,
}


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

    most_cards: int | None = None

    def heading(self, number: int, count: int) -> str:
        """Return the heading of a segment of the sheet, which has so many of them."""
        return str(_("Translations"))

    def parts(self, candidate: str) -> list[str]:
        """Return the parts of a candidate between which words of the translation are left out."""
        return [candidate]


@dataclass(frozen=True)
class SegmentsOfSentence(Unit):
    """A sheet is a sentence with a few of its segments; a judgement is about one segment."""

    narrow_view: ClassVar[str] = "board"

    words: ClassVar[Words] = Words(
        judgements=_("Judgements (segments)"),
        seconds=_("Mean seconds per segment"),
        judged=_(
            "Segments judged, with repeats; results are computed from these. If an annotator "
            "revised a sentence, the last version counts."
        ),
        **_SENTENCES,
    )

    def heading(self, number: int, count: int) -> str:
        return _("Segment %(number)s of %(count)s") % {"number": number, "count": count}

    def parts(self, candidate: str) -> list[str]:
        return candidate.split(GAP)


@dataclass(frozen=True)
class SentenceWithTranslations(Unit):
    """A sheet is a sentence, which is its only segment, with all its different translations."""

    words: ClassVar[Words] = Words(
        judgements=_("Judgements (sentences)"),
        seconds=_("Mean seconds per sentence"),
        judged=_(
            "Sentences judged, with repeats; results are computed from these. If an annotator "
            "revised a sentence, the last version counts."
        ),
        **_SENTENCES,
    )


@dataclass(frozen=True)
class OneTranslation(Unit):
    """A sheet is one translation of a sentence: each different one is a row of its own."""

    words: ClassVar[Words] = Words(
        judgements=_("Judgements (translations)"),
        seconds=_("Mean seconds per translation"),
        judged=_(
            "Translations judged, with repeats; results are computed from these. If an annotator "
            "revised a sheet, the last version counts."
        ),
        sheets=_("Translations"),
        sheets_judged=_("Translations judged"),
        judged_sheets=_(
            "Different translations judged; one that was judged several times counts once."
        ),
        counted_sheets=counted_translations,
    )

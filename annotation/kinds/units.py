"""What annotators judge at a time, in the words of pages: segments, sentences or translations."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext


@dataclass(frozen=True)
class Unit:
    """What one judgement is about, and what a sheet shows; all words are lazily translated.

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
SEGMENTS: Final = Unit(
    judgements=_("Judgements (segments)"),
    seconds=_("Mean seconds per segment"),
    judged=_(
        "Segments judged, with repeats; results are computed from these. If an annotator revised a "
        "sentence, the last version counts."
    ),
    **_SENTENCES,
)
SENTENCES: Final = Unit(
    judgements=_("Judgements (sentences)"),
    seconds=_("Mean seconds per sentence"),
    judged=_(
        "Sentences judged, with repeats; results are computed from these. If an annotator revised "
        "a sentence, the last version counts."
    ),
    **_SENTENCES,
)
TRANSLATIONS: Final = Unit(
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

"""A candidate that the annotator corrects, needs no corrections or is beyond correction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.formats.tokens import Tokenize
from annotation.kinds.answer_words import DETAILS_TAKE_LONGER, OF_STEPS, AnswerWords
from annotation.kinds.answers import Detailed, InvalidAnswer, JudgedText, Steps
from annotation.kinds.practice_words import PracticeWords, of_edits

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from annotation.models import Placement

# The steps of the scale.
NO_CORRECTIONS: Final = 1
EDITED: Final = 2
UNABLE: Final = 3

_LINE_BREAKS = re.compile(r"[\r\n]+")
# In practice, so many words of an expected text may be others.
TOLERANCE: Final = 0.2


@dataclass(frozen=True)
class EditedText(Detailed, Steps):
    """The detail is the corrected text on one line: it is there exactly where the step is "edited".

    Forms have the text of every output. It counts where the answer is "edited", and must be
    unchanged where no corrections are needed. Where annotators are unable to correct it, it is what
    they tried.
    """

    folder: ClassVar[str] = "annotation/answers/edited_text"
    has_board: ClassVar[bool] = False
    parts: ClassVar[str] = ""
    words: ClassVar[AnswerWords] = replace(OF_STEPS, takes_longer=DETAILS_TAKE_LONGER)
    scripts: ClassVar[tuple[str, ...]] = ("annotation/kinds/post_editing.js",)
    accepted_as: ClassVar[str] = "edit_acceptance"

    steps: tuple[Any, ...] = (
        gettext_lazy("No corrections needed"),
        gettext_lazy("Edited"),
        gettext_lazy("Unable to correct"),
    )

    def check_detail(self, detail: str, *, of: JudgedText, rank: int | None) -> None:
        from annotation.models import Edit

        text = on_one_line(detail)
        is_changed = text not in ("", on_one_line(of.candidate))
        if rank == EDITED and not is_changed:
            raise InvalidAnswer(
                _(
                    "You chose “Edited” for a text that is the same as before: change it, or "
                    "choose another answer."
                )
            )
        if rank == NO_CORRECTIONS and is_changed:
            raise InvalidAnswer(
                _(
                    "You changed a text that you say needs no corrections: choose “Edited”, or "
                    "restore the text."
                )
            )
        if rank == EDITED and len(text) > Edit.LONGEST:
            raise InvalidAnswer(
                _("A text is too long. The limit is %(limit)d characters.")
                % {"limit": Edit.LONGEST}
            )

    def kept_detail(self, detail: str, rank: int | None) -> str:
        return on_one_line(detail) if rank == EDITED else ""

    def store_details(self, details: Mapping[int, str]) -> None:
        from annotation.models import Edit, Placement

        edited = Placement.objects.filter(pk__in=list(details), rank=EDITED)
        Edit.objects.bulk_create(
            Edit(placement_id=pk, text=on_one_line(details[pk]))
            for pk in edited.values_list("pk", flat=True)
        )

    def read_details(self, placements: QuerySet[Placement]) -> dict[int, str]:
        from annotation.models import Edit

        rows = Edit.objects.filter(placement__in=placements.order_by())
        return dict(rows.values_list("placement", "text"))

    @property
    def practice(self) -> PracticeWords:
        return of_edits()


def made_of(candidate: str, rank: int | None, detail: str) -> str | None:
    """Return the text after the answer: the candidate itself, the edit, or None if unable.

    "" is an edit whose text is unknown.
    """
    if rank == UNABLE:
        return None
    return detail if rank == EDITED else on_one_line(candidate)


def words_changed(text: str, expected: str, tokenize: Tokenize) -> float:
    """Return edits of tokens per token of the expected text, as HTER without shifts."""
    from rapidfuzz.distance import Levenshtein

    words = tokenize(expected).words
    return Levenshtein.distance(tokenize(text).words, words) / max(1, len(words))


def is_as_expected(
    candidate: str, text: str | None, expected: str | None, tokenize: Tokenize
) -> bool:
    """Tell whether what was made of the candidate is near enough to the expected text.

    Both are as `made_of` returns, and `tokenize` cuts them into words. Where corrections are
    expected, the candidate itself is wrong, however few they are.
    """
    if text is None or expected is None:
        return text is expected
    if text == on_one_line(candidate) and text != expected:
        return False
    return not expected or words_changed(text, expected, tokenize) <= TOLERANCE


def on_one_line(text: str) -> str:
    """Return the text without line breaks and outer white space, which no output has."""
    return _LINE_BREAKS.sub(" ", text.strip())

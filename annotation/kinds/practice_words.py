"""What pages say about practice sentences: what is expected, and which answers are right."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy


@dataclass(frozen=True)
class PracticeWords:
    """Texts in the reader's language.

    `expected` asks the administrator for the gold answers. `rule` tells the annotator which answers
    are right, "" where each card says so. `share` heads the share of right ones, and `note` says
    below the table what was compared. `none_yet` advises which sentences to choose. `counted` says
    how many `agreed` of the `pairs` of a sentence, "" where there are no pairs.
    """

    expected: str
    rule: str
    share: str
    note: str
    none_yet: str
    counted: Any = ""


def _best_worst_and_hard() -> str:
    return _(
        "Nothing to practise yet. Three to five with clear answers are enough: one with the best "
        "answer, one with the worst, one that is hard."
    )


def _removed_do_not_count() -> str:
    return _("Removed practice does not count, and practice is in no other figure.")


def of_ranking() -> PracticeWords:
    return PracticeWords(
        expected=_("Place the candidates as you expect of annotators. Only their order matters."),
        rule=_("Only the order matters, and what is in Garbage. Empty ranks are not shown."),
        share=_("Pairs in the right order"),
        note=_(
            "Each pair of candidates of a segment is compared with the current gold answers; only "
            "the order matters. Removed practice does not count, and practice is in no "
            "other figure."
        ),
        none_yet=_(
            "Nothing to practise yet. Three to five with clear answers are enough: one with "
            "Garbage, one with a tie, one that is hard."
        ),
        counted=ngettext_lazy(
            "%(agreed)s of %(pairs)s pair in the expected order",
            "%(agreed)s of %(pairs)s pairs in the expected order",
            "pairs",
        ),
    )


def of_steps(tolerance: int) -> PracticeWords:
    expected = _("Give the answers that you expect of annotators.")
    near = (
        ngettext(
            "An answer is right if it is at most %(steps)s step away from the expected one.",
            "An answer is right if it is at most %(steps)s steps away from the expected one.",
            tolerance,
        )
        % {"steps": tolerance}
        if tolerance
        else _("An answer is right if it is the expected one.")
    )
    return PracticeWords(
        expected=f"{expected} {near}",
        rule=near,
        share=_("Right answers"),
        note=f"{near} {_removed_do_not_count()}",
        none_yet=_best_worst_and_hard(),
    )


def of_scores(tolerance: int) -> PracticeWords:
    return PracticeWords(
        expected=_(
            "Give the score that you expect of annotators. Theirs may be %(tolerance)s away from "
            "it."
        )
        % {"tolerance": tolerance},
        rule="",
        share=_("Scores near the gold score"),
        note=_(
            "A score is right if it is at most %(tolerance)s away from the current gold score, or "
            "in its range. Removed practice does not count, and practice is in no other figure."
        )
        % {"tolerance": tolerance},
        none_yet=_best_worst_and_hard(),
    )


def of_several_scores() -> PracticeWords:
    near = _(
        "A score is right if it is at most a tenth of its scale away from the expected one, and "
        "on a scale of ten scores or fewer if it is the same."
    )
    return PracticeWords(
        expected=_("Give the scores that you expect of annotators, on all scales.") + f" {near}",
        rule=near,
        share=_("Scores near the gold scores"),
        note=f"{near} {_removed_do_not_count()}",
        none_yet=_best_worst_and_hard(),
        counted=ngettext_lazy(
            "%(agreed)s of %(pairs)s score is right.",
            "%(agreed)s of %(pairs)s scores are right.",
            "pairs",
        ),
    )


def _found() -> str:
    return _(
        "An error counts as found if you marked any part of it. One mark finds one error, so mark "
        "each by itself."
    )


def of_marked_errors(tolerance: int) -> PracticeWords:
    found = _found()
    near = _(
        "A score is right if it is in the expected range, or at most %(tolerance)s away from the "
        "expected one."
    ) % {"tolerance": tolerance}
    return PracticeWords(
        expected=_(
            "Mark the errors that annotators should find, and give the score that you expect."
        ),
        rule=f"{found} {near}",
        share=of_scores(tolerance).share,
        note=of_scores(tolerance).note,
        none_yet=_best_worst_and_hard(),
    )


def of_errors_alone() -> PracticeWords:
    found = _found()
    return PracticeWords(
        expected=_("Mark the errors that annotators should find."),
        rule=found,
        share=_("Errors found"),
        note=_(
            "The errors that are found, of those that are expected or marked without being "
            "expected. An error counts as found if any part of it is marked, and one mark finds "
            "one error. Removed practice does not count, and practice is in no other figure."
        ),
        none_yet=_best_worst_and_hard(),
    )


def of_edits() -> PracticeWords:
    as_it_is = _("“No corrections needed” is right only where it is expected.")
    differs = _("A text is right if at most a fifth of its words differ from the expected text.")
    return PracticeWords(
        expected=_(
            "Correct the texts as you expect of annotators. A fifth of the words may differ in "
            "theirs."
        ),
        rule=f"{differs} {as_it_is}",
        share=_("Texts near the gold text"),
        note=_(
            "A text is right if at most a fifth of its words differ from the current gold text. "
            "Removed practice does not count, and practice is in no other figure."
        )
        + f" {as_it_is}",
        none_yet=_best_worst_and_hard(),
    )

"""What pages say about answers, apart from practice."""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class AnswerWords:
    """Texts that depend on the answer; all are lazily translated."""

    # --- the judging page ---
    # Heads the candidates on a board that have no answer, and stands in place of them.
    tray: Any
    tray_empty: Any
    # The script lists these candidates after `left` or `missing`, or says that all are `done`.
    left: Any
    missing: Any
    done: Any
    # Stands for the answer that a candidate does not have.
    unplaced: Any
    # Asks to select a candidate first.
    pick: Any
    # Precedes the number of answers, if a key is not one of them.
    no_rank: Any

    # --- annotators and results ---
    # Heads the share of judgements in which all candidates got the same answer.
    alike: Any
    # Which answers pass a control.
    controls: Any
    # Stands below a table of ranks; "" where it has other answers.
    ranks_explained: Any = ""
    # Is said of hours that were computed for other answers; "" if that is not known.
    takes_longer: Any = ""


OF_RANKS: Final = AnswerWords(
    tray=_("To rank"),
    tray_empty=_("All ranked"),
    left=_("Left to rank:"),
    missing=_("Not ranked yet:"),
    done=_("All candidates are ranked."),
    unplaced=_("not ranked"),
    pick=_("Select a candidate first, then a rank."),
    no_rank=_("Ranks go from 1 to"),
    alike=_("On the same rank"),
    controls=_(
        "An annotator passes a control by ranking the degraded candidate below the original, or "
        "the duplicated candidate level with its original. Both in Garbage passes too. Controls "
        "are among the assignments and in no other figure."
    ),
    ranks_explained=_(
        "Ranks given by the annotators: 1 is best, and Garbage is worse than every rank. Only the "
        "order matters."
    ),
)

OF_STEPS: Final = AnswerWords(
    tray=_("To judge"),
    tray_empty=_("All judged"),
    left=_("Left to judge:"),
    missing=_("Not judged yet:"),
    done=_("Everything is judged."),
    unplaced=_("not judged"),
    pick=_("Select a candidate first, then an answer."),
    no_rank=_("Answers go from 1 to"),
    alike=_("With the same answer"),
    controls=_(
        "An annotator passes a control by a worse answer for the degraded candidate than for the "
        "original, or the same answer for the duplicated candidate. The worst answer for both "
        "passes too. Controls are among the assignments and in no other figure."
    ),
)

OF_SCORES: Final = replace(
    OF_STEPS,
    controls=_(
        "An annotator passes a control by a lower score for the degraded translation than for the "
        "original. A score of 0 for both passes too. Controls are among the assignments "
        "and in no other figure of this table."
    ),
)

OF_SEVERAL_SCORES: Final = replace(
    OF_SCORES,
    controls=_(
        "An annotator passes a control by a lower score for the degraded translation than for the "
        "original on the first scale. The lowest score for both passes too. Controls are "
        "among the assignments and in no other figure of this table."
    ),
)

OF_POINTS: Final = replace(
    OF_STEPS,
    controls=_(
        "An annotator passes a control by more error points for the degraded translation than for "
        "the original. Controls are among the assignments and in no other figure of this "
        "table."
    ),
)

# Of answers with a text of the annotator's.
DETAILS_TAKE_LONGER: Final = _("Marking errors and correcting texts usually take longer.")

"""What pages say about answers, apart from how to give them and from practice."""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class AnswerWords:
    """Texts that depend on the answer; all are lazily translated.

    `alike` heads the share of candidates of an annotator that got the same answer. `controls` says
    which answers pass a control. `ranks_explained` is below a table of ranks, "" where it has other
    answers. `takes_longer` is said of hours that were computed for other answers, "" if it is not
    known.
    """

    alike: Any
    controls: Any
    ranks_explained: Any = ""
    takes_longer: Any = ""


OF_RANKS: Final = AnswerWords(
    alike=_("On the same rank"),
    controls=_(
        "An annotator passes a control by ranking the degraded candidate below the original, or "
        "the duplicated candidate level with its original. Both in Garbage passes too. Control "
        "sentences are among the assignments and in no other figure."
    ),
    ranks_explained=_(
        "Ranks given by the annotators: 1 is best, and Garbage is worse than every rank. Only the "
        "order matters."
    ),
)

OF_STEPS: Final = AnswerWords(
    alike=_("With the same answer"),
    controls=_(
        "An annotator passes a control by a worse answer for the degraded candidate than for the "
        "original, or the same answer for the duplicated candidate. The worst answer for both "
        "passes too. Control sentences are among the assignments and in no other figure."
    ),
)

OF_SCORES: Final = AnswerWords(
    alike=_("With the same answer"),
    controls=_(
        "An annotator passes a control by a lower score for the degraded translation than for the "
        "original. A score of 0 for both passes too. Control sentences are among the assignments "
        "and in no other figure of this table."
    ),
)

# Of answers with a text of the annotator's.
DETAILS_TAKE_LONGER: Final = _("Marking errors and correcting texts usually take longer.")

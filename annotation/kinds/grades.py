"""Grades of whole translations on a scale of the project's own.

As the absolute grades of Nießen, Och, Leusch & Ney (2000, "An Evaluation Tool for Machine
Translation"), from 0 to 10: stored with the text, so that identical translations are graded once.
"""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds.kind import SCORE, Kind
from annotation.kinds.sentence_ranking import AT_ONCE

FEWEST_STEPS: Final = 2
MOST_STEPS: Final = 11
LONGEST_LABEL: Final = 80
# The grades of Nießen et al., which the pages suggest.
SUGGESTED: Final = tuple(map(str, range(10, -1, -1)))

KIND: Final = Kind(
    name="grades",
    label=gettext_lazy("Grades"),
    question=gettext_lazy(
        "Annotators put each whole translation on one step of the project’s own scale."
    ),
    group=SCORE,
    answers=gettext_lazy("What do you call good? You write the labels of 2 to 11 steps."),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    own_scale=True,
)


def joined_labels(labels: Sequence[str]) -> str:
    """Return the labels of the steps, best first, as a project stores them: one a line.

    Blanks around them are removed. Raises InputError for too few or too many labels, and for one
    that is empty, too long, not printable or given twice.
    """
    trimmed = [label.strip() for label in labels]
    if not FEWEST_STEPS <= len(trimmed) <= MOST_STEPS:
        raise InputError(
            _("Give %(fewest)d to %(most)d steps of the scale, the best first: there are %(n)d."),
            fewest=FEWEST_STEPS,
            most=MOST_STEPS,
            n=len(trimmed),
        )
    for number, label in enumerate(trimmed, start=1):
        if not label:
            raise InputError(_("Step %(number)d of the scale has no label."), number=number)
        if len(label) > LONGEST_LABEL or not label.isprintable():
            raise InputError(
                _("Step %(number)d of the scale: use up to %(most)d printable characters."),
                number=number,
                most=LONGEST_LABEL,
            )
        if label in trimmed[: number - 1]:
            raise InputError(
                _("Two steps of the scale have the label %(label)s: each needs its own."),
                label=label,
            )
    return "\n".join(trimmed)

"""Acceptance of edited outputs: yes or no (Callison-Burch et al. 2009).

The second step of the evaluation by editing: annotators see source and reference, and say whether
each edited output is fully fluent and means the same.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import CORRECT, Kind
from annotation.kinds.sentence_ranking import AT_ONCE

KIND: Final = Kind(
    name="edit_acceptance",
    label=_("Acceptance of edits"),
    question=_(
        "Annotators say of each edited translation whether it is fully fluent and means the same."
    ),
    group=CORRECT,
    answers=_(
        "Do the corrected sentences mean what they should? How many of a system’s sentences can "
        "be repaired?"
    ),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    scale=(_("Yes"), _("No")),
    exports=("wmt-forms",),
)

"""Adequacy of whole translations in five grades (LDC 2005; WMT 2006 and 2007)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import SCORE, Cost, Kind
from annotation.kinds.sentence_ranking import AT_ONCE

KIND: Final = Kind(
    name="adequacy",
    label=_("Adequacy"),
    question=_(
        "Annotators say how much of the meaning each whole translation has, in five grades."
    ),
    group=SCORE,
    answers=_("How much of the meaning is in a system’s sentences?"),
    cost=Cost(108.3, _("WMT07, adequacy and fluency together")),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    scale=(
        _("All meaning"),
        _("Most meaning"),
        _("Much meaning"),
        _("Little meaning"),
        _("No meaning"),
    ),
    exports=("wmt-forms",),
    wmt_form=WmtForm("NIST", ("5", "4", "3", "2", "1")),
)

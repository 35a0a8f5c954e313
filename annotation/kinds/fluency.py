"""Fluency of whole translations in five grades (LDC 2005; WMT 2006 and 2007).

Asked apart from adequacy and without source and reference, because judges confuse the two
(Callison-Burch et al. 2007).
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import SCORE, Cost, Kind
from annotation.kinds.sentence_ranking import AT_ONCE

KIND: Final = Kind(
    name="fluency",
    label=_("Fluency"),
    question=_(
        "Annotators say how good the language of each whole translation is, in five grades."
    ),
    group=SCORE,
    answers=_("How good is a system’s language?"),
    cost=Cost(108.3, _("WMT07, adequacy and fluency together")),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    scale=(
        _("Flawless"),
        _("Good"),
        _("Non-native"),
        _("Disfluent"),
        _("Incomprehensible"),
    ),
    exports=("wmt-forms",),
    wmt_form=WmtForm("NIST", ("5", "4", "3", "2", "1"), column="B"),
    shows_source=False,
    shows_reference=False,
)

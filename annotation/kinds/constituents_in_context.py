"""Ranking of constituents in context (Callison-Burch et al. 2007 and 2008).

As the ranking of segments, but annotators see each candidate inside its whole translation.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import RANK, Cost, Kind

KIND: Final = Kind(
    name="constituents_in_context",
    label=_("Ranking of segments in context"),
    question=_("Annotators rank the segments and see each one inside its whole translation."),
    group=RANK,
    answers=_(
        "Which system translates phrases better, where a phrase can only be judged in its "
        "sentence: agreement of words, word order, references to other words?"
    ),
    cost=Cost(47.1, "WMT08"),
    in_context=True,
    exports=("wmt-forms",),
    wmt_form=WmtForm("CONSTITUENT"),
)

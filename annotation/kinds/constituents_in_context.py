"""Ranking of constituents in context (Callison-Burch et al. 2007 and 2008).

As the ranking of segments, but annotators see each candidate inside its whole translation.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import Kind

KIND: Final = Kind(
    name="constituents_in_context",
    label=_("Ranking of segments in context"),
    question=_("Annotators rank the segments and see each one inside its whole translation."),
    in_context=True,
    exports=("wmt-forms",),
    wmt_form=WmtForm("CONSTITUENT"),
)

"""Yes, no or not sure: is a candidate an acceptable translation of its segment?

The scale of RYPT (Zaidan and Callison-Burch 2009) and of the acceptance of constituents at WMT 2008
(Callison-Burch et al. 2008).
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import SCORE, Cost, Kind

KIND: Final = Kind(
    name="acceptability",
    label=_("Yes or no"),
    question=_("Annotators say of each translation of a segment whether it is acceptable."),
    group=SCORE,
    answers=_("How many of a system’s phrases are acceptable? For systems that are far apart."),
    known_as="RYPT",
    cost=Cost(40.7, "WMT08"),
    scale=(_("Yes"), _("Not sure"), _("No")),
    undecided=2,
    exports=("wmt-forms",),
    wmt_form=WmtForm("CONSTITUENT_ACCEPT", ("1", "3", "2")),
)

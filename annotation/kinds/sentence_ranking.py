"""Ranking of whole sentences, up to five translations at a time (WMT 2009 to 2016).

Identical translations are shown once, as in WMT 2015 and 2016. Ranks have no absolute meaning, and
ties are allowed.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.kind import RANK, Cost, Kind

# Callison-Burch et al. (2009): people cannot order many sentences at once.
AT_ONCE: Final = 5

KIND: Final = Kind(
    name="sentence_ranking",
    label=_("Ranking of whole sentences"),
    question=_("Annotators rank up to five whole translations of each sentence."),
    group=RANK,
    answers=_("Which system’s sentences are better, with all that segments leave out?"),
    known_as="RR",
    cost=Cost(80.0, "WMT08"),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    exports=("wmt-forms", "wmt-five"),
    wmt_form=WmtForm("RANK"),
)

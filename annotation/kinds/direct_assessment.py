"""Direct assessment of adequacy with a reference (Graham et al. 2013; WMT 2016 to 2021)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import Kind
from annotation.kinds.sentence_ranking import AT_ONCE

KIND: Final = Kind(
    name="direct_assessment",
    label=_("Direct assessment"),
    question=_(
        "Annotators compare each whole translation with the reference and give it a score from 0 "
        "to 100."
    ),
    whole_sentences=True,
    most_candidates=AT_ONCE,
    highest_score=100,
    exports=("da",),
    pearmut_protocol="DA",
    shows_source=False,
    own_card=True,
)

"""Adequacy by the reference, for annotators who need not read the source (WMT 2016 to 2021)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import SCORE, Cost, Kind

KIND: Final = Kind(
    name="direct_assessment",
    label=_("Direct assessment"),
    question=_(
        "Annotators compare one whole translation at a time with the reference and give it a score "
        "from 0 to 100."
    ),
    group=SCORE,
    answers=_(
        "Which system’s sentences are better, by how much? Annotators need the target language "
        "only."
    ),
    known_as="DA",
    cost=Cost(28.9, "WMT21"),
    whole_sentences=True,
    single_translations=True,
    highest_score=100,
    exports=("da",),
    pearmut_protocol="DA",
    shows_source=False,
    own_card=True,
)

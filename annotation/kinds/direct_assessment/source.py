"""Adequacy by the source, for bilingual annotators (WMT 2018 to 2022)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import SCORE, Kind

KIND: Final = Kind(
    name="direct_assessment_source",
    label=_("Direct assessment by the source"),
    question=_(
        "Annotators compare one whole translation at a time with the source and give it a score "
        "from 0 to 100."
    ),
    group=SCORE,
    answers=_(
        "Which system’s sentences are better, by how much? Annotators need both languages and no "
        "reference."
    ),
    known_as="source-based DA",
    whole_sentences=True,
    single_translations=True,
    highest_score=100,
    exports=("da",),
    pearmut_protocol="DA",
    shows_reference=False,
    own_card=True,
)

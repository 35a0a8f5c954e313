"""Fluency of a translation that is shown by itself (Graham et al. 2013)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import SCORE, Kind

KIND: Final = Kind(
    name="direct_assessment_fluency",
    label=_("Direct assessment of fluency"),
    question=_(
        "Annotators read one whole translation at a time, without source and reference, and give "
        "its language a score from 0 to 100."
    ),
    group=SCORE,
    answers=_("How good is a system’s language, on a fine scale?"),
    known_as="DA",
    whole_sentences=True,
    single_translations=True,
    highest_score=100,
    exports=("da",),
    shows_source=False,
    shows_reference=False,
    own_card=True,
)

"""Direct assessment with the seven labels of a scalar quality metric (WMT 2022 and 2023)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import SCORE, Kind

KIND: Final = Kind(
    name="direct_assessment_sqm",
    label=_("Direct assessment with labels"),
    question=_(
        "Annotators compare one whole translation at a time with the source and give it a score "
        "from 0 to 100, along seven labels."
    ),
    group=SCORE,
    answers=_(
        "Which system’s sentences are better, by how much? Labels make annotators’ scales more "
        "alike."
    ),
    known_as="DA+SQM",
    whole_sentences=True,
    single_translations=True,
    highest_score=100,
    ticks=(
        _("0: No meaning preserved"),
        "1",
        _("2: Some meaning preserved"),
        "3",
        _("4: Most meaning preserved"),
        "5",
        _("6: Perfect"),
    ),
    exports=("da",),
    shows_reference=False,
    own_card=True,
)

"""Ranking of short segments (Bojar et al. 2015), the first kind and the default."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import Kind

KIND: Final = Kind(
    name="segment_ranking",
    label=_("Ranking of segments"),
    question=_("Annotators rank all translations of a few short segments of each sentence."),
    in_signatures=False,
)

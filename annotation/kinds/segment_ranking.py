"""Ranking of short segments (Bojar et al. 2015), the first kind and the default."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import RANK, Cost, Kind

KIND: Final = Kind(
    name="segment_ranking",
    label=_("Ranking of segments"),
    question=_("Annotators rank all translations of a few short segments of each sentence."),
    group=RANK,
    answers=_(
        "Which system translates short phrases better? The most comparisons for the time, of "
        "systems that are close to each other."
    ),
    known_as="SegRanks",
    cost=Cost(68, _("SegRanks thesis")),
    in_signatures=False,
)

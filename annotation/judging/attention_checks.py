"""Checks inside a sheet of systems side by side: a degraded copy stands beside its original.

An annotator whose answer does not tell them apart is asked to look again, once. What is submitted
then is stored as it is, and that it was a second try.
"""

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.judging.aids import SECOND_TRY
from annotation.judging.errors import LookAgain
from annotation.judging.judged_units import judged_unit
from annotation.judging.sheet import Layout
from annotation.kinds import kind_of
from annotation.models import Assignment, Control


def check_attention(
    own: QuerySet[Assignment], layout: Layout, choices: Mapping[str, int | None]
) -> None:
    """Raise LookAgain if a degraded translation got as much as its original, in the first try.

    `own` has the assignment if it is the annotator's.

    No query but for a control sheet of systems side by side, and then two.
    """
    is_checked = layout.assignment_kind == Assignment.Kind.CONTROL
    if not (is_checked and judged_unit(kind_of(layout).unit).has_columns):
        return
    ranks = {
        candidate: choices.get(key)
        for key, card in layout.cards.items()
        for candidate in card.candidate_ids
    }
    controls = Control.objects.filter(
        segment__in={card.segment_id for card in layout.cards.values()}
    )
    worst = kind_of(layout).answer.worst
    # Two of the worst are no mistake, as in other controls.
    failed = [
        message
        for original, changed, message in controls.order_by("segment").values_list(
            "original", "changed", "message"
        )
        if not _is_passed(ranks.get(original), ranks.get(changed), worst)
    ]
    first_try = own.filter(state=Assignment.State.OPEN).exclude(aids__has_key=SECOND_TRY)
    if not failed or not first_try.exists():
        return
    if said := next(filter(None, failed), ""):
        raise LookAgain(said)
    raise LookAgain(
        _(
            "Please look again: of two translations that differ in a few words, one is damaged, "
            "and it got as much as the other or more. Change your answers, or submit them as they "
            "are."
        )
    )


def _is_passed(original: int | None, changed: int | None, worst: int | None) -> bool:
    if original is None or changed is None:
        return True
    return changed > original or original == changed == worst

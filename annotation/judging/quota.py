"""How many sentences one annotator is given in a project, where somebody has set that."""

from annotation.models import Assignment, Membership


def has_enough(membership: Membership) -> bool:
    """Tell whether the member holds as many sentences as he may have.

    What he has in hand or has submitted counts, whether it was new, a repeat or for control: each
    is as much work as another, and nobody can tell them apart. Practice does not count, nor what he
    skipped or gave back. Until the transaction ends, nobody else gives him one.
    """
    if membership.most_sentences is None:
        return False
    locked = Membership.objects.select_for_update().filter(pk=membership.pk).first()
    if locked is None or locked.most_sentences is None:
        return False
    held = Assignment.objects.filter(
        annotator=membership.user_id,
        project=membership.project_id,
        state__in=Assignment.ACTIVE_STATES,
    ).exclude(kind=Assignment.Kind.PRACTICE)
    return held.count() >= locked.most_sentences

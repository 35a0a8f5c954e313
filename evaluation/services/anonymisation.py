"""What goes where a person is made unknown."""

from typing import Any

from django.db.models import Q

from annotation.models import Assignment, Membership, User
from evaluation.models import SentenceJudgement


def forget(user: User, **_signal: Any) -> None:
    """Take her names from judgements of whole sentences in what she has to do with.

    Files name judges as they like. Their keys stay, so that such a file imported again is known.
    """
    names = {user.username, user.display_name} - {""}
    given = Assignment.objects.filter(annotator=user).values("project")
    member = Membership.objects.filter(user=user).values("project")
    hers = Q(project__in=given) | Q(project__in=member)
    SentenceJudgement.objects.filter(hers, judge__in=names).update(judge=f"annotator {user.pk}")

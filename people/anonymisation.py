"""What goes where a person is made unknown."""

from typing import Any

from django.db.models import Q
from django.utils import timezone

from annotation.models import User
from people.models import Invitation


def forget(user: User, **_signal: Any) -> None:
    """Take the address, and what was written for her, from invitations that were mailed to her."""
    to_her = Q(arrivals__user=user)
    if user.email:
        to_her |= Q(email__iexact=user.email)
    mailed = Invitation.objects.exclude(email="").filter(to_her)
    mailed.update(email="", note="", revoked=timezone.now())

"""Being signed in by a start link, which is less than being signed in."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.models import User

# As sessions name it.
START_LINK = "crowd.backends.StartLinkBackend"


@ReadyMadeRead
def _participant(pk: int) -> QuerySet[User]:
    found = User.objects.filter(pk=pk, is_active=True, is_staff=False, is_superuser=False)
    return found.exclude(participant=None).select_related("participant__link")


class StartLinkBackend(BaseBackend):
    """Keeps those signed in who came by a start link, each confined to the project of it.

    Nobody signs in by it with a name or a password.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        return None

    def get_user(self, user_id: int) -> User | None:
        """Return the account, one query; None where it is no participant's, or switched off."""
        user = _participant.first(user_id)
        if user is not None:
            user.confined_to = user.participant.link.project_id
        return user

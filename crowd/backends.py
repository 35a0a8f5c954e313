"""Sign in with a start link, which gives fewer rights than a password."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.http import HttpRequest

from annotation.models import User

# Sessions store this path.
START_LINK = "crowd.backends.StartLinkBackend"


class StartLinkBackend(BaseBackend):
    """Keeps participants signed in who used a start link, each confined to its project.

    It accepts no user name and no password.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        return None

    def get_user(self, user_id: int) -> User | None:
        """Return the participant, None for any other or a deactivated account. One query."""
        users = User.objects.filter(pk=user_id, is_active=True, is_staff=False, is_superuser=False)
        user = users.exclude(participant=None).select_related("participant__link").first()
        if user is not None:
            user.confined_to = user.participant.link.project_id
        return user

"""What a new password must be, and what it ends."""

from typing import Any

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.contrib.sessions.models import Session

from annotation.models import User
from annotation.signals import password_changed
from people.models import NewAddress


class LengthValidator(MinimumLengthValidator):
    """Requires a minimum length.

    Django tells each password validator about a new password once it is stored. This one then ends
    what the old password protected: sessions, sign-in links, a change of the email address, and
    what other apps end when they receive `password_changed`.
    """

    def password_changed(self, password: str, user: Any = None) -> None:
        if isinstance(user, User):
            Session.objects.filter(signed_in__user=user).delete()
            NewAddress.objects.filter(user=user).delete()
            user.sign_in_links.end()
            password_changed.send(User, user=user)

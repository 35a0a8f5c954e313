"""Authentication by a token (programs) or by the session of a browser."""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.models import User
from api import tokens
from api.models import Token

# More than any of our tokens has.
MAX_SECRET_LENGTH = 200


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer sr_…`."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the user and the token; None if the request carries no token.

        Raises AuthenticationFailed if the token is unknown, expired or revoked.
        """
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = tokens.find_token(secret.strip()) if len(secret) <= MAX_SECRET_LENGTH else None
        if token is None:
            raise AuthenticationFailed(
                _("This token is unknown, has expired or was revoked. Create another one.")
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="SegRanks"'


class _WithoutBody:
    """A request whose posted form is empty; all else is the request's own."""

    POST = QueryDict()

    def __init__(self, request: Request) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)


class SessionAuthentication(authentication.SessionAuthentication):
    """The session of a browser; unsafe methods need the header X-CSRFToken.

    Django would look for the CSRF token in the posted form first, which reads the whole body before
    anyone checked whether the person may send it. So the check sees an empty form.
    """

    def enforce_csrf(self, request: Any) -> None:
        super().enforce_csrf(_WithoutBody(request))  # type: ignore[arg-type]

"""Who asks: a program by a token, or a person by the session of the browser."""

from copy import copy
from typing import Any, cast

from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.models import User
from api import tokens
from api.models import Token

SCHEME = "bearer"
# Longer than any of ours.
LONGEST = 200


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer sr_…`."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return whom the token is of; None where there is none, so that others are asked."""
        scheme, _space, word = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME:
            return None
        token = tokens.find_token(word.strip()) if len(word) <= LONGEST else None
        if token is None:
            raise AuthenticationFailed(
                _("This token is unknown, has expired or was revoked: make another one.")
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="SegRanks"'


class SessionAuthentication(authentication.SessionAuthentication):
    """The session of a browser; whatever changes something shows the token against forgery too.

    That is taken from the header X-CSRFToken alone: looking for it in a form would read all of
    what is sent before anybody knows whether it may be sent.
    """

    def enforce_csrf(self, request: Request) -> None:
        # Django's own protection was put off by REST framework for all of its views.
        bare = copy(request._request)
        cast(Any, bare).POST = QueryDict()
        super().enforce_csrf(cast(Any, bare))

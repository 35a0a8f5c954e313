"""Create, find and revoke API tokens."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Project, User
from annotation.process import clock
from annotation.projects.permissions import LARGEST_ID
from api.models import Token

# Lets people and secret scanners recognise a leaked token.
PREFIX = "sr_"
DEFAULT_DAYS = 90
MAX_DAYS = 366
# Valid tokens of one person.
MAX_TOKENS = 50
# How precise `last_used` is: noting each request would make every read a write.
LAST_USED_PRECISION = timedelta(hours=1)


class TooManyTokens(Exception):
    """The person has MAX_TOKENS valid tokens."""


def create_token(
    *, user: User, name: str, scope: str, days: int = DEFAULT_DAYS, project: Project | None = None
) -> tuple[Token, str]:
    """Store a new token and return it with its secret; only a hash of the secret is stored.

    Raises ValueError for an unknown scope or an impossible number of days, and TooManyTokens.
    """
    if scope not in Token.Scope.values or not 1 <= days <= MAX_DAYS:
        raise ValueError(f"No token can have the scope {scope!r} and be valid for {days} days.")
    if valid_tokens(user).count() >= MAX_TOKENS:
        raise TooManyTokens
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name,
        token_hash=_hash(secret),
        scope=scope,
        project=project,
        expires=clock.now() + timedelta(days=days),
    )
    return token, secret


def valid_tokens(user: User) -> QuerySet[Token]:
    """Return the tokens that are neither expired nor revoked, the newest first.

    A token for one project ends when that project is deleted.
    """
    return _valid().filter(user=user).select_related("project").order_by("-pk")


def find_token(secret: str) -> Token | None:
    """Return the valid token of an active user with this secret. One query, and one more an hour.

    That one notes when the token was last used.
    """
    now = clock.now()
    of_active = _valid().select_related("user").filter(user__is_active=True)
    token = of_active.filter(token_hash=_hash(secret)).first()
    outdated = now - LAST_USED_PRECISION
    if token and (token.last_used is None or token.last_used < outdated):
        unnoted = Q(last_used=None) | Q(last_used__lt=outdated)
        Token.objects.filter(unnoted, pk=token.pk).update(last_used=now)
    return token


def revoke_token(*, user: User, token_id: int) -> bool:
    """Revoke a token of the user; return False if there is no valid one with this id."""
    if token_id > LARGEST_ID:
        return False
    return bool(valid_tokens(user).filter(pk=token_id).update(revoked=clock.now()))


def revoke_tokens(user: User, **_signal: Any) -> None:
    """Revoke all tokens of a user whose password has changed, as their sessions end too."""
    valid_tokens(user).update(revoked=clock.now())


def delete_tokens(user: User, **_signal: Any) -> None:
    """Delete all tokens of a person who is being anonymised."""
    Token.objects.filter(user=user).delete()


def _valid() -> QuerySet[Token]:
    return Token.objects.filter(revoked=None, expires__gt=clock.now(), project__delete_after=None)


def _hash(secret: str) -> str:
    # The secret has 256 random bits, so a fast hash without salt is safe.
    return hashlib.sha256(secret.encode()).hexdigest()

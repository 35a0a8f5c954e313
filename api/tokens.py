"""Making, knowing and revoking the tokens of the API."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import Project, User
from annotation.projects.permissions import LARGEST_ID
from api.models import Token

# So that whoever finds one knows what it is.
PREFIX = "sr_"
DAYS = 90
MOST_DAYS = 366
# Of those that are good still.
MOST_TOKENS = 50
# How exact `last_used` is.
COARSE = timedelta(hours=1)


class TooMany(Exception):
    """Somebody has so many tokens that are good still."""


def make_token(
    *, user: User, name: str, scope: str, days: int = DAYS, project: Project | None = None
) -> tuple[Token, str]:
    """Store a new token, and return it with the word to be shown: this once, nobody can again.

    Raises ValueError for a scope or a number of days that there is not, and TooMany.
    """
    if scope not in Token.Scope.values or not 1 <= days <= MOST_DAYS:
        raise ValueError(f"No token can be for {scope!r} and {days} days.")
    if good_tokens(user).count() >= MOST_TOKENS:
        raise TooMany
    word = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name,
        token_hash=_hash(word),
        scope=scope,
        project=project,
        expires=timezone.now() + timedelta(days=days),
    )
    return token, word


def good_tokens(user: User) -> QuerySet[Token]:
    """Return the tokens that can be used, the newest first."""
    mine = Token.objects.filter(user=user, revoked=None, expires__gt=timezone.now())
    return mine.select_related("project").order_by("-pk")


def find_token(word: str) -> Token | None:
    """Return the token that can be used now, with its user, and note that it was used. One query.

    Once an hour a second one.
    """
    now = timezone.now()
    known = Token.objects.select_related("user").filter(token_hash=_hash(word))
    token = known.filter(revoked=None, expires__gt=now, user__is_active=True).first()
    if token and (token.last_used is None or token.last_used < now - COARSE):
        unnoted = Q(last_used=None) | Q(last_used__lt=now - COARSE)
        Token.objects.filter(unnoted, pk=token.pk).update(last_used=now)
    return token


def revoke(*, user: User, token_id: int) -> bool:
    """End a token of the user; return False where there is none that is good still."""
    if token_id > LARGEST_ID:
        return False
    return bool(good_tokens(user).filter(pk=token_id).update(revoked=timezone.now()))


def revoke_with_password(instance: User, created: bool, **_kwargs: Any) -> None:
    """End all tokens of a user whose password is changed, as it is done in the browser too."""
    # Django forgets it once it is saved.
    if not created and instance._password is not None:  # type: ignore[attr-defined]
        good_tokens(instance).update(revoked=timezone.now())


def _hash(word: str) -> str:
    # It has 256 random bits, so a plain fast hash is enough to keep it secret.
    return hashlib.sha256(word.encode()).hexdigest()

"""Links whose bearers may do something, such as sign in; only a hash of their token is stored."""

import hashlib
import secrets
from typing import Self, TypeVar, cast

from django.db import models

from annotation.process import clock


class UnknownLink(Exception):
    """There is no such link."""


class EndedLink(Exception):
    """The link was used up, replaced or revoked, has expired, or lost what it depends on."""


def new_token() -> tuple[str, str]:
    """Return a token for a link, and the hash of it that is stored."""
    token = secrets.token_urlsafe(32)
    return token, hash_token(token)


def hash_token(token: str) -> str:
    """Return what is stored of a token."""
    # The token has 256 random bits, so a plain fast hash is enough to keep it secret.
    return hashlib.sha256(token.encode()).hexdigest()


Row = TypeVar("Row", bound="WithToken")
Link = TypeVar("Link", bound="SecretLink")


class WithTokens(models.QuerySet[Row]):
    def open(self) -> Self:
        """Return those that can be used. A table with more conditions narrows this."""
        return self.filter(models.Q(expires=None) | models.Q(expires__gt=clock.now()))

    def find(self, token: str) -> Row:
        """Return the row of this link, without using it, by one query.

        The look-up is by a hash, so its duration reveals nothing about the token. Raises
        UnknownLink, EndedLink.
        """
        is_open = models.Exists(type(self)(self.model).open().filter(pk=models.OuterRef("pk")))
        found = self.filter(token_hash=hash_token(token)).annotate(is_open=is_open).first()
        if found is None:
            raise UnknownLink
        if not found.is_open:
            raise EndedLink
        return cast(Row, found)


class SecretLinks(WithTokens[Link]):
    def open(self) -> Self:
        return super().open().filter(ended=None)

    def end(self) -> int:
        """End the links, and return how many had not ended: of two callers at once, one gets 1."""
        # Outside the subquery, because PostgreSQL evaluates only such a condition again if another
        # transaction has changed the row meanwhile.
        links = type(self)(self.model).filter(pk__in=self.values("pk"), ended=None)
        return links.update(ended=clock.now())


class WithToken(models.Model):
    """A row that the bearer of a link can use until it expires. Its queryset is a WithTokens."""

    token_hash = models.CharField(max_length=64, unique=True)
    # May be null in a table whose rows can be valid for ever.
    expires = models.DateTimeField()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=~models.Q(token_hash=""), name="%(class)s_has_a_token")
        ]


class SecretLink(WithToken):
    """A link that is kept after it has ended. Its queryset is a SecretLinks."""

    created = models.DateTimeField(default=clock.now)
    # When it was used up, replaced or revoked.
    ended = models.DateTimeField(null=True, blank=True)

    class Meta(WithToken.Meta):
        abstract = True

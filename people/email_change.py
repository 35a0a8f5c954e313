"""Another mail address for an account, once its owner has shown that it is his."""

import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.signals import post_save
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import User
from people import mail
from people.models import NewAddress
from people.registration import account_of
from people.sign_in_links import hash_token
from people.site_address import site_address

LIFETIME: Final = timedelta(days=1)


class BadLink(Exception):
    """The link is not this person's, is too old or used, or its address has an account by now.

    Nor does it hold where the account was given another address meanwhile, as by an administrator.
    """


class JustMailed(Exception):
    """The address got a mail from this person a moment ago, whose link does not hold any more."""


def ask(*, user: User, email: str) -> None:
    """Mail a link to the new address, by which it becomes the user's, and tell the old one.

    It takes the place of an earlier one. Whether the address has an account, only its owner is
    told: all else is done alike. Who asks again at once gets no other mail: the link of the first
    holds, or where it does not any more, it raises JustMailed. Raises NotSent, with no link made.
    """
    now = timezone.now()
    asking = f"new-address-{user.pk}"
    if not mail.is_asked_for_anew(asking, email):
        if not NewAddress.objects.filter(user=user, email__iexact=email, expires__gt=now).exists():
            raise JustMailed
        return
    NewAddress.objects.filter(expires__lte=now).delete()
    token = secrets.token_urlsafe(32)
    wanted = {
        "email": email,
        "instead_of": user.email,
        "token_hash": hash_token(token),
        "expires": now + LIFETIME,
    }
    asked, _made = NewAddress.objects.update_or_create(user=user, defaults=wanted)
    try:
        _mail_link(user, email, token)
    except mail.NotSent:
        asked.delete()
        mail.forget_asking(asking, email)
        raise
    # It may be that nobody reads it any more, which is why another is wanted.
    with suppress(mail.NotSent):
        _tell_old(user, email)


def find(*, token: str, user: User) -> NewAddress:
    """Return what the link would give the user, without using it. Raises BadLink.

    Nobody else's links are his: an address that was mistyped helps nobody into the account.
    """
    wanted = NewAddress.objects.filter(
        token_hash=hash_token(token),
        user=user,
        instead_of=F("user__email"),
        expires__gt=timezone.now(),
    ).first()
    if wanted is None or _other_owner(wanted.email, user):
        raise BadLink
    return wanted


def confirm(*, token: str, user: User) -> str:
    """Make the address the user's, use the link up, and return the address. Raises BadLink.

    The address before is told: whoever reads that may know nothing of it.
    """
    before = user.email
    try:
        with transaction.atomic():
            wanted = find(token=token, user=user)
            # Of two requests at once the one that deletes the row is the one that counts.
            used, _each = NewAddress.objects.filter(token_hash=wanted.token_hash).delete()
            if not used:
                raise BadLink
            User.objects.filter(pk=user.pk).update(email=wanted.email)
    except IntegrityError:
        # Somebody has made an account with it since it was looked up.
        raise BadLink from None
    if before:
        with suppress(mail.NotSent):
            subject = _("Your mail address at SegRanks")
            mail.send("address_changed", before, subject=subject, user=user, email=wanted.email)
    return wanted.email


def follow() -> None:
    """From now on, let a new password end what somebody asked for with the old one."""
    post_save.connect(_on_new_password, sender=User)


def _on_new_password(instance: User, **_signal: Any) -> None:
    if instance._password is not None:  # type: ignore[attr-defined]
        NewAddress.objects.filter(user=instance).delete()


def _other_owner(email: str, user: User) -> User | None:
    known = account_of(email)
    return None if known == user else known


def _mail_link(user: User, email: str, token: str) -> None:
    base = site_address().rstrip("/")
    subject = _("Your mail address at SegRanks")
    known = _other_owner(email, user)
    if known:
        address = base + reverse("forgotten-password")
        mail.send("address_known", email, subject=subject, user=known, address=address)
    else:
        address = base + reverse("confirm-address", args=[token])
        mail.send("new_address", email, subject=subject, user=user, address=address)


def _tell_old(user: User, email: str) -> None:
    if user.email:
        address = site_address().rstrip("/") + reverse("forgotten-password")
        subject = _("Your mail address at SegRanks")
        mail.send(
            "address_asked", user.email, subject=subject, user=user, email=email, address=address
        )

"""Changing the email address of an account, after the new address has been confirmed."""

from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.models.secret_links import EndedLink, new_token
from annotation.process import clock
from people import mail
from people.models import NewAddress
from people.registration import account_of
from people.site_address import site_address

LINK_LIFETIME: Final = timedelta(days=1)


class RequestedRecently(Exception):
    """The address got an email from this user minutes ago, whose link is no longer valid."""


def request_change(*, user: User, email: str) -> None:
    """Mail a confirmation link to the new address, and a notice to the old one.

    It replaces an earlier request. If the new address has an account, its owner gets an email
    without a link, and no other user learns of it. A repeated request within minutes sends nothing
    if the first link is still valid; otherwise it raises RequestedRecently. Raises NotSent, and
    stores nothing, if the link could not be sent.
    """
    now = clock.now()
    kind = f"new-address-{user.pk}"
    if not mail.is_first_request(kind, email):
        if not NewAddress.objects.open().filter(user=user, email__iexact=email).exists():
            raise RequestedRecently
        return
    NewAddress.objects.filter(expires__lte=now).delete()
    token, token_hash = new_token()
    fields = {
        "email": email,
        "instead_of": user.email,
        "token_hash": token_hash,
        "expires": now + LINK_LIFETIME,
    }
    requested, _created = NewAddress.objects.update_or_create(user=user, defaults=fields)
    base = site_address().rstrip("/")
    reset = base + reverse("forgotten-password")
    subject = _("Your email address at SegRanks")
    known = account_of(email)
    try:
        if known and known != user:
            mail.send("address_known", email, subject=subject, user=known, address=reset)
        else:
            link = base + reverse("confirm-address", args=[token])
            mail.send("new_address", email, subject=subject, user=user, address=link)
    except mail.NotSent:
        requested.delete()
        mail.forget_request(kind, email)
        raise
    if user.email:
        # A dead old address may be the reason for the change.
        with suppress(mail.NotSent):
            to = user.email
            mail.send("address_asked", to, subject=subject, user=user, email=email, address=reset)


def find(*, token: str, user: User) -> NewAddress:
    """Return the change that the link confirms, without making it.

    Only the user who requested it can use the link: so a mistyped address gives its owner nothing.
    Raises UnknownLink; EndedLink also if another account has the address by now.
    """
    requested = NewAddress.objects.filter(user=user).find(token)
    if account_of(requested.email) not in (None, user):
        raise EndedLink
    return requested


def confirm(*, token: str, user: User) -> str:
    """Make the change, tell the old address, and return the new one. Raises as `find`."""
    before = user.email
    try:
        with transaction.atomic():
            requested = find(token=token, user=user)
            # Of two requests at once, the one that deletes the row makes the change.
            deleted, _each = NewAddress.objects.filter(token_hash=requested.token_hash).delete()
            if not deleted:
                raise EndedLink
            User.objects.filter(pk=user.pk).update(email=requested.email)
    except IntegrityError:
        # Another account with this address was created meanwhile.
        raise EndedLink from None
    if before:
        with suppress(mail.NotSent):
            subject = _("Your email address at SegRanks")
            mail.send("address_changed", before, subject=subject, user=user, email=requested.email)
    return requested.email

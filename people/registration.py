"""Self-registration, where the site allows it."""

from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import User
from people import mail
from people.site_address import site_address

# Seconds for which a confirmation link is valid: a day.
LINK_SECONDS: Final = 86_400
SALT: Final = "people.registration"


class BadLink(Exception):
    """The link is invalid, has expired, or its email address has an account by now."""


def requires_email() -> bool:
    """Return whether only owners of email addresses in certain domains may register."""
    return bool(settings.REGISTRATION_DOMAINS)


def is_allowed(email: str) -> bool:
    """Return whether the address is directly in one of the domains.

    Addresses with a quoted part, such as "a@b.c"@example.org, are refused: mail servers differ in
    how they read them.
    """
    return '"' not in email and email.rpartition("@")[2].lower() in settings.REGISTRATION_DOMAINS


def send_link(email: str) -> None:
    """Mail a confirmation link; if the address has an account, mail its user name instead.

    Nothing is stored before the address is confirmed. A repeated request within minutes sends
    nothing. Raises NotSent.
    """
    if not mail.is_first_request("registration", email):
        return
    base = site_address().rstrip("/")
    subject = _("Your SegRanks account")
    known = account_of(email)
    try:
        if known:
            address = base + reverse("forgotten-password")
            mail.send("known_already", email, subject=subject, user=known, address=address)
        else:
            token = signing.dumps(email, salt=SALT)
            address = base + reverse("confirm-registration", args=[token])
            mail.send("registration", email, subject=subject, address=address)
    except mail.NotSent:
        mail.forget_request("registration", email)
        raise


def confirmed_address(token: str) -> str:
    """Return the email address that the link confirms. Raises BadLink."""
    try:
        email = str(signing.loads(token, salt=SALT, max_age=LINK_SECONDS))
    except signing.BadSignature:
        raise BadLink from None
    if not is_allowed(email) or account_of(email):
        raise BadLink
    return email


def account_of(email: str) -> User | None:
    """Return the account with this email address, in any case; the database allows one."""
    return User.objects.filter(email__iexact=email).first()

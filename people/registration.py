"""Making an account for oneself, where the installation allows it."""

from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import User
from people import mail
from people.site_address import site_address

# Seconds for which a link that confirms a mail address is good: a day.
LIFETIME: Final = 86_400
SALT: Final = "people.registration"


class BadLink(Exception):
    """The link was not made here, is too old, or its address has an account by now."""


def asks_for_mail() -> bool:
    """Return whether only the owners of mail addresses in certain domains may register."""
    return bool(settings.REGISTRATION_DOMAINS)


def is_welcome(email: str) -> bool:
    """Return whether the address is directly in one of the domains, whatever their case.

    None with a quoted part, as in "a@b.c"@example.org: not every mail server reads it alike.
    """
    return '"' not in email and email.rpartition("@")[2].lower() in settings.REGISTRATION_DOMAINS


def send_link(email: str) -> None:
    """Mail a link by which the owner of the address goes on; who has an account is told which.

    Nothing is stored: there is no account before its address is confirmed. Who asks again at once
    gets no other mail. Raises NotSent.
    """
    if not mail.is_asked_for_anew("registration", email):
        return
    try:
        _send_link(email)
    except mail.NotSent:
        mail.forget_asking("registration", email)
        raise


def confirmed_address(token: str) -> str:
    """Return the mail address that the link confirms. Raises BadLink."""
    try:
        email = str(signing.loads(token, salt=SALT, max_age=LIFETIME))
    except signing.BadSignature:
        raise BadLink from None
    if not is_welcome(email) or account_of(email):
        raise BadLink
    return email


def _send_link(email: str) -> None:
    base = site_address().rstrip("/")
    subject = _("Your account at SegRanks")
    known = account_of(email)
    if known:
        address = base + reverse("forgotten-password")
        mail.send("known_already", email, subject=subject, user=known, address=address)
    else:
        token = signing.dumps(email, salt=SALT)
        address = base + reverse("confirm-registration", args=[token])
        mail.send("registration", email, subject=subject, address=address)


def account_of(email: str) -> User | None:
    """Return whose address this is, in whatever case it is written; the database has him once."""
    return User.objects.filter(email__iexact=email).first()

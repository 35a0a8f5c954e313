"""Emails to people, in the language of the person who causes them."""

from datetime import timedelta
from hashlib import sha256
from logging import getLogger
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.process import clock

# Seconds in which a process sends no second email of a kind to the same address.
REPEAT_AFTER: Final = 300

# After this time a worker that began to mail something, and did not say how it ended, was killed.
# Longer than all steps of a sent email take.
CLAIM_LASTS: Final = timedelta(minutes=5)

log = getLogger(__name__)


class NotSent(Exception):
    """The mail server did not take the email; the message is for people."""


def is_configured() -> bool:
    return bool(settings.EMAIL_HOST)


def send(
    template: str,
    to: str,
    *,
    subject: str,
    headers: dict[str, str] | None = None,
    **context: object,
) -> None:
    """Send templates/people/mail/TEMPLATE.txt. Raises NotSent.

    Each step of the way to the mail server takes EMAIL_TIMEOUT seconds at most.
    """
    text = render_to_string(f"people/mail/{template}.txt", context)
    try:
        # A project's name in the subject may contain line breaks.
        subject = " ".join(subject.split())
        EmailMessage(subject, text.strip() + "\n", to=[to], headers=headers).send()
    except (OSError, ValueError) as problem:
        # Servers raise OSError, and an address that no header can contain raises ValueError.
        log.warning("An email could not be sent: %s", type(problem).__name__, exc_info=problem)
        raise NotSent(
            _("The mail server did not accept the email. Check the address, or try again later.")
        ) from problem


def unclaimed(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return those that no worker began to mail within CLAIM_LASTS.

    A worker claims a row by an update of `claimed`; the update of a second worker finds no row.
    """
    return rows.filter(Q(claimed=None) | Q(claimed__lt=clock.now() - CLAIM_LASTS))


def is_first_request(kind: str, email: str) -> bool:
    """Return False if this kind of email to this address was requested within REPEAT_AFTER."""
    return bool(cache.add(_mailing_key(kind, email), True, REPEAT_AFTER))


def forget_request(kind: str, email: str) -> None:
    """Allow another request at once, because nothing was sent."""
    cache.delete(_mailing_key(kind, email))


def _mailing_key(kind: str, email: str) -> str:
    return f"{kind}-{sha256(email.lower().encode()).hexdigest()}"

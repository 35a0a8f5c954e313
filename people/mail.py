"""Mail to people, in the language of whoever causes it."""

from hashlib import sha256
from logging import getLogger
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

# Seconds in which a process mails nobody twice for what any visitor can ask for.
NOT_AGAIN: Final = 300

log = getLogger(__name__)


class NotSent(Exception):
    """A mail could not be sent; the message is for people."""


def is_configured() -> bool:
    return bool(settings.EMAIL_HOST)


def send(template: str, to: str, *, subject: str, **context: object) -> None:
    """Send templates/people/mail/TEMPLATE.txt; whatever the subject holds, it is one line.

    It takes EMAIL_TIMEOUT seconds at most for each step of the way to the mail server. Raises
    NotSent.
    """
    text = render_to_string(f"people/mail/{template}.txt", context)
    try:
        send_mail(" ".join(subject.split()), text.strip() + "\n", None, [to])
    except (OSError, ValueError) as problem:
        # What goes wrong with a mail server is an OSError, and an address that cannot be written
        # down a ValueError.
        log.warning("A mail could not be sent: %s", type(problem).__name__, exc_info=problem)
        raise NotSent(
            _("The mail server did not take the mail: check the address, or try again later.")
        ) from problem


def is_asked_for_anew(what: str, email: str) -> bool:
    """Return whether nobody has asked for this mail to this address just now; note that one has."""
    return bool(cache.add(_key(what, email), True, NOT_AGAIN))


def forget_asking(what: str, email: str) -> None:
    """Let it be asked for again at once, since nothing was sent."""
    cache.delete(_key(what, email))


def _key(what: str, email: str) -> str:
    return f"{what}-{sha256(email.lower().encode()).hexdigest()}"

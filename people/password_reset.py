"""A forgotten password: a link by mail that lets its owner choose another."""

from logging import getLogger
from typing import Final

from celery import current_app
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import User
from people import mail
from people.site_address import site_address

TASK: Final = "people.tasks.send_reset_links"

log = getLogger(__name__)


def ask_for_link(email: str) -> bool:
    """Have a worker mail a link to whoever has this address; return whether it could be told.

    Not here, where how long it takes would tell whether there is such an account. Who asks again at
    once gets no other mail.
    """
    if not mail.is_asked_for_anew("new-password", email):
        return True
    try:
        current_app.send_task(TASK, [email, get_language()])
    except BrokerError as problem:
        log.warning("The broker does not answer: no link for a new password. %s", problem)
        mail.forget_asking("new-password", email)
        return False
    return True


def send_link(email: str, language: str) -> bool:
    """Mail a link to whoever has this address and may sign in; return whether it was sent.

    To the address as it is stored, which the one given may only resemble. It is logged where the
    server does not take it.
    """
    known = User.objects.filter(email__iexact=email, is_active=True).exclude(email="").first()
    if known is None:
        return False
    try:
        with override(language):
            subject = _("A new password for SegRanks")
            mail.send(
                "new_password", known.email, subject=subject, user=known, address=_address(known)
            )
    except mail.NotSent:
        return False
    return True


def _address(user: User) -> str:
    owner = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return site_address().rstrip("/") + reverse("reset-password", args=[owner, token])

"""Celery tasks of people."""

from celery import shared_task
from django.utils.translation import override

from people.forms import PasswordLinkForm
from people.site_address import site_address


@shared_task(name="people.tasks.send_reset_links")
def send_reset_links(email: str, language: str) -> None:
    """Mail a link for a new password to the account with this address, if there is one.

    It goes to the address as stored, which the given one may only resemble. Django logs an error of
    the mail server.
    """
    form = PasswordLinkForm({"email": email})
    with override(language):
        if form.is_valid():
            form.save(
                domain_override=site_address(),
                subject_template_name="people/mail/new_password_subject.txt",
                email_template_name="people/mail/new_password.txt",
                extra_email_context={"site": site_address().rstrip("/")},
            )

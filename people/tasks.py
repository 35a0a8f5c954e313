"""Celery tasks of people."""

from celery import shared_task
from django.utils.translation import override

from people import invitations, reminders
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


@shared_task(name=invitations.TASK)
def send_invitation(invitation_id: int, language: str = "") -> None:
    """Mail the invitation, if it waits for that."""
    with override(language or None):
        invitations.mail_waiting(invitation_id)


@shared_task(name=reminders.TASK)
def send_reminder(reminder_id: int, language: str = "") -> None:
    """Mail the reminder, if it waits for that."""
    with override(language or None):
        reminders.mail_waiting(reminder_id)

"""Celery tasks of people."""

from typing import Any, Final

from celery import shared_task
from django.db.models import QuerySet
from django.utils.translation import override

from annotation.common.task_queue import EXPIRES, once_in, send_task
from annotation.process import clock
from people import invitations, mail, reminders
from people.forms import PasswordLinkForm
from people.site_address import site_address

# Emails of each kind that a run enqueues.
MOST_ENQUEUED: Final = 100


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
def send_invitation(invitation_id: int) -> None:
    """Mail the invitation, if it waits for that."""
    invitations.mail_waiting(invitation_id)


@shared_task(name=reminders.TASK)
def send_reminder(reminder_id: int) -> None:
    """Mail the reminder, if it waits for that."""
    reminders.mail_waiting(reminder_id)


@shared_task(name="people.tasks.enqueue_waiting")
@once_in(30)
def enqueue_waiting() -> None:
    """Enqueue the emails that wait: their messages were lost, or a worker was killed with them."""
    emails: dict[str, QuerySet[Any]] = {
        invitations.TASK: invitations.waiting(),
        reminders.TASK: reminders.waiting(),
    }
    for task, waiting in emails.items():
        for pk in waiting.order_by("pk").values_list("pk", flat=True)[:MOST_ENQUEUED]:
            send_task(task, pk, expires=EXPIRES)


@shared_task(name="people.tasks.enqueue_automatic_reminders")
@once_in(600)
def enqueue_automatic_reminders() -> None:
    """Enqueue the projects whose annotators are to be looked for, to remind them automatically."""
    if mail.is_configured():
        for pk in reminders.projects_to_remind(now=clock.now()).values_list("pk", flat=True):
            send_task(reminders.AUTOMATIC_TASK, pk, expires=EXPIRES)


@shared_task(name=reminders.AUTOMATIC_TASK)
def remind_automatically(project_id: int) -> None:
    """Remind the annotators of the project who have stopped, unless a worker has done so today."""
    now = clock.now()
    project = reminders.projects_to_remind(now=now).filter(pk=project_id).first()
    if project is not None:
        reminders.remind_automatically(project=project, now=now)

"""What workers do."""

from celery import shared_task

from people import resetting


@shared_task(name=resetting.TASK)
def send_reset_links(email: str, language: str) -> None:
    """Mail links for a new password to the accounts of the address, if there are any."""
    resetting.send_links(email, language)

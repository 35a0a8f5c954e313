"""What workers do."""

from celery import shared_task

from people import resetting


@shared_task(name=resetting.TASK)
def send_reset_links(email: str, language: str) -> None:
    """Mail a link for a new password to whoever has the address, if there is anybody."""
    resetting.send_link(email, language)

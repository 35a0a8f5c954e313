"""What workers do."""

from celery import shared_task

from people import password_reset


@shared_task(name=password_reset.TASK)
def send_reset_links(email: str, language: str) -> None:
    """Mail a link for a new password to whoever has the address, if there is anybody."""
    password_reset.send_link(email, language)

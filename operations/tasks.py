"""Celery tasks that beat schedules."""

from celery import shared_task
from django.core.management import call_command

from webhooks import deliveries


@shared_task(name="operations.clear_up")
def clear_up() -> None:
    """Delete expired sessions, which Django keeps, and old webhook deliveries."""
    call_command("clearsessions")
    deliveries.clear_old()

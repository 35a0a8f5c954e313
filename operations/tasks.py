"""What beat has workers do now and then."""

from celery import shared_task
from django.core.management import call_command


@shared_task(name="operations.clear_sessions")
def clear_sessions() -> None:
    """Remove the sessions that are over: Django leaves them where they are."""
    call_command("clearsessions")

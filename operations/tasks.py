"""What beat has workers do now and then."""

from celery import shared_task
from django.core.management import call_command

from webhooks import deliveries


@shared_task(name="operations.clear_up")
def clear_up() -> None:
    """Remove what is over: sessions, which Django leaves where they are, and old deliveries."""
    call_command("clearsessions")
    deliveries.clear_old()

"""What workers do."""

from celery import shared_task

from webhooks import delivering, watching


@shared_task(name="webhooks.tasks.look")
def look() -> None:
    """Find what happened to projects, and tell the workers of all that is due."""
    try:
        watching.look()
    finally:
        delivering.send_due()


@shared_task(name=delivering.TASK)
def deliver(delivery_id: int) -> None:
    """Try to deliver it, unless somebody else does or it is too early."""
    delivering.deliver(delivery_id)

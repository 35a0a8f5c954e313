"""What workers do."""

from celery import shared_task

from webhooks import deliveries, event_detection


@shared_task(name="webhooks.tasks.look")
def look() -> None:
    """Find what happened to projects, and tell the workers of all that is due."""
    try:
        event_detection.look()
    finally:
        deliveries.send_due()


@shared_task(name=deliveries.TASK)
def deliver(delivery_id: int) -> None:
    """Try to deliver it, unless somebody else does or it is too early."""
    deliveries.deliver(delivery_id)

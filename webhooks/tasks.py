"""Celery tasks of webhooks; the beat schedule has `look`."""

from typing import Final

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from webhooks import deliveries, event_detection

# Seconds. Counting what is judged costs more than comparing states.
PROGRESS_EVERY: Final = 60
# Seconds after which a message that no worker took expires: the next run sends another one.
ENQUEUED_FOR: Final = 60


@shared_task(name="webhooks.tasks.look")
def look() -> None:
    """Detect events, and enqueue the deliveries that are due, even if detection fails."""
    try:
        if settings.WEBHOOK_HOSTS:
            event_detection.detect_state_changes()
            if cache.add("webhooks-progress", True, PROGRESS_EVERY):
                event_detection.detect_progress()
    finally:
        for delivery_id in deliveries.due_deliveries():
            deliver.apply_async((delivery_id,), expires=ENQUEUED_FOR)


@shared_task(name="webhooks.tasks.deliver")
def deliver(delivery_id: int) -> None:
    deliveries.deliver(delivery_id)

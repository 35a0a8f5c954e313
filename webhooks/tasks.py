"""Celery tasks of webhooks; the beat schedule has `look`."""

from logging import getLogger
from typing import Final

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import InterfaceError, OperationalError

from annotation.common.database_errors import is_busy
from annotation.common.task_queue import EXPIRES, once_in
from webhooks import deliveries, event_detection

log = getLogger(__name__)

# Seconds. Counting what is judged costs more than comparing states.
PROGRESS_EVERY: Final = 60


@shared_task(name="webhooks.tasks.look")
@once_in(2)
def look() -> None:
    """Detect events, and enqueue the deliveries that are due, even if detection fails.

    Leaves it to the next run while others write to the database for too long.
    """
    try:
        _look()
    except (OperationalError, InterfaceError) as problem:
        if not is_busy(problem):
            raise
        log.warning("The database is busy: webhooks wait for the next run. %s", problem)


def _look() -> None:
    try:
        if settings.WEBHOOK_HOSTS:
            event_detection.detect_state_changes()
            if cache.add("webhooks-progress", True, PROGRESS_EVERY):
                event_detection.detect_progress()
    finally:
        for delivery_id in deliveries.due_deliveries():
            deliver.apply_async((delivery_id,), expires=EXPIRES)


@shared_task(
    name="webhooks.tasks.deliver",
    autoretry_for=(OperationalError, InterfaceError),
    retry_backoff=True,
    max_retries=3,
)
def deliver(delivery_id: int) -> None:
    deliveries.deliver(delivery_id)

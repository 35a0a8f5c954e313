"""Messages to Celery workers."""

from collections.abc import Callable
from functools import partial, wraps
from logging import getLogger
from typing import Any, Final

from celery import current_app, current_task
from django.core.cache import caches
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

from annotation.process.log_context import HEADER

# Seconds between two looks of beat for jobs, previews and deletions that wait, which it enqueues
# again.
ENQUEUE_EVERY: Final = 10.0
# Seconds after which a message that beat repeats expires. The sender writes the time, and the
# worker reads it by another clock, so it is much longer than their clocks may differ.
EXPIRES: Final = 300.0

log = getLogger(__name__)


def once_in(seconds: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Decorate a task of beat: of messages that waited for a worker together, one does the work.

    The others, within so many seconds by the clock of Redis, do nothing. Longer than a message
    takes, and shorter than beat's schedule.
    """

    def decorate(task: Callable[[], None]) -> Callable[[], None]:
        @wraps(task)
        def run() -> None:
            by_worker = current_task and not current_task.request.called_directly
            if not by_worker or caches["throttles"].add(current_task.name, True, seconds):
                task()

        return run

    return decorate


def send_task(name: str, pk: int, *, request: str | None = None, **options: Any) -> None:
    """Send the task of this name for a row once the transaction is committed.

    `request` is the id of the request that began the work, by default the present one. A broker
    that does not answer is only logged, since a beat task sends again what waits.
    """
    if request is not None:
        options["headers"] = {HEADER: request}
    transaction.on_commit(partial(_send_now, name, pk, **options))


def _send_now(name: str, pk: int, **options: Any) -> None:
    try:
        current_app.send_task(name, [pk], **options)
    except BrokerError as problem:
        log.warning("The broker does not answer: %s(%d) has to wait. %s", name, pk, problem)

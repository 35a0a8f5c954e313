"""Messages to Celery workers."""

from functools import partial
from logging import getLogger
from typing import Any, Final

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

# Seconds between two looks of beat for jobs, previews and deletions that wait, which it enqueues
# again: a message that no worker has taken expires then.
ENQUEUE_EVERY: Final = 10.0

log = getLogger(__name__)


def send_task(name: str, pk: int, **options: Any) -> None:
    """Send the task of this name for a row once the transaction is committed.

    A broker that does not answer is only logged, since a beat task sends again what waits.
    """
    transaction.on_commit(partial(_send_now, name, pk, **options))


def _send_now(name: str, pk: int, **options: Any) -> None:
    try:
        current_app.send_task(name, [pk], **options)
    except BrokerError as problem:
        log.warning("The broker does not answer: %s(%d) has to wait. %s", name, pk, problem)

"""How often beat has run, counted in the cache that all processes share.

It is a count and not a time, so that hosts may have different clocks.
"""

from typing import Any, Final

from celery import signals
from django.core.cache import caches

# Only beat sends it, every 10 seconds.
TASK: Final = "annotation.tasks.enqueue_pending"
KEY: Final = "beat-runs"


def connect_signals() -> None:
    """Count a run in the process that sends beat's task, even if no worker is free for it."""
    signals.after_task_publish.connect(_count, sender=TASK)


def count() -> int:
    """Return the number of runs since the broker was last empty."""
    return int(caches["throttles"].get(KEY, 0))


def _count(**_signal: Any) -> None:
    shared = caches["throttles"]
    shared.add(KEY, 0, timeout=None)
    shared.incr(KEY)

"""The Celery application: `celery -A segranks worker` and `beat`, or all in `manage.py up`."""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from celery import Celery
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")


def print_refused_settings(
    kind: type[BaseException], problem: BaseException, traceback: TracebackType | None
) -> None:
    """Print one sentence where settings are refused, as manage.py does; else a traceback."""
    if isinstance(problem, ImproperlyConfigured):
        print(f"Error: {problem}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, problem, traceback)


if os.path.basename(sys.argv[0]) == "celery" or sys.argv[0].endswith("celery/__main__.py"):
    # Celery reads the settings before any code of ours could catch what they raise.
    sys.excepthook = print_refused_settings

_path = list(sys.path)
app = Celery("segranks")
# Celery has put the current folder first. Unless it is ours, as where `celery` is run in a clone,
# other code there may have the names of our packages.
if Path.cwd() != Path(__file__).resolve().parent.parent:
    sys.path[:] = _path
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A worker does the tasks of all queues, unless `--queues` names some. Webhooks have a queue of
# their own, so that a worker for that queue alone never waits for a preparation.
DEFAULT, WEBHOOKS = "celery", "webhooks"
app.conf.task_queues = [
    Queue(name, Exchange(name, type="direct"), routing_key=name) for name in (DEFAULT, WEBHOOKS)
]
app.conf.task_routes = {"webhooks.tasks.*": {"queue": WEBHOOKS}}


def _every(seconds: float, task: str) -> dict[str, Any]:
    """Return an entry of the schedule; a task that no worker had time for expires."""
    from annotation.common.task_queue import EXPIRES

    return {"task": task, "schedule": seconds, "options": {"expires": max(seconds, EXPIRES)}}


app.conf.beat_schedule = {
    "jobs": _every(10.0, "annotation.tasks.enqueue_pending"),
    "reports": _every(10.0, "evaluation.tasks.refresh_reports"),
    "emails": _every(60.0, "people.tasks.enqueue_waiting"),
    "reminders": _every(3600.0, "people.tasks.enqueue_automatic_reminders"),
    "webhooks": _every(5.0, "webhooks.tasks.look"),
    "clearing": _every(3600.0, "operations.clear_up"),
    "answers": _every(3600.0, "api.tasks.delete_expired_answers"),
}

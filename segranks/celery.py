"""The Celery application: `celery -A segranks worker` where the embedded worker is not enough."""

import os
import sys
from functools import partial
from types import TracebackType
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, worker_process_init, worker_ready
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")

# Seconds between two looks for jobs that nobody works on.
LOOK_EVERY = 5.0


def say_what_is_refused(
    kind: type[BaseException], problem: BaseException, traceback: TracebackType | None
) -> None:
    """Print one sentence where settings stop the start, as manage.py does; else a traceback."""
    if isinstance(problem, ImproperlyConfigured):
        print(f"Error: {problem}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, problem, traceback)


if os.path.basename(sys.argv[0]) == "celery" or sys.argv[0].endswith("celery/__main__.py"):
    # It reads the settings before anything of ours can catch what they raise.
    sys.excepthook = say_what_is_refused

app = Celery("segranks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A worker does the tasks of all queues, unless `--queues` names some. What has a queue of its own
# waits for no preparation, where somebody has time for that queue alone.
DEFAULT, WEBHOOKS = "celery", "webhooks"
app.conf.task_queues = [
    Queue(name, Exchange(name, type="direct"), routing_key=name) for name in (DEFAULT, WEBHOOKS)
]
app.conf.task_routes = {"webhooks.tasks.*": {"queue": WEBHOOKS}}

# Seconds between two looks; the worker inside `manage.py up` keeps this schedule by itself.
app.conf.beat_schedule = {
    "reports": {"task": "evaluation.tasks.refresh_reports", "schedule": 60.0},
    "webhooks": {
        "task": "webhooks.tasks.look",
        "schedule": 5.0,
        # While no worker has time, no more than one waits: the next look sees the same.
        "options": {"expires": 5.0},
    },
    "clearing": {"task": "operations.clear_up", "schedule": 3600.0},
}


@celeryd_init.connect
def look_for_jobs_once_ready(**_event: Any) -> None:
    # Sent by the program `celery worker` only: the embedded worker looks for itself.
    worker_ready.connect(look_for_jobs)
    worker_process_init.connect(partial(be_kept_by, os.getpid()), weak=False)


def look_for_jobs(**_event: Any) -> None:
    """Whatever an earlier worker left, or nobody was told of, is taken up, now and later on.

    The main process gives signs of life for what its children do.
    """
    # Django is set up by now; it was not when this module was imported.
    from annotation.pipeline.dispatcher import Scout
    from annotation.pipeline.heartbeats import Watcher

    Scout(LOOK_EVERY).start()
    Watcher().start()


def be_kept_by(main: int, **_event: Any) -> None:
    """Note in a child of the process with this id that it gives signs of life for it."""
    from annotation.pipeline import leases, processes

    # A pool without processes of its own sends the same: what it does keeps its own leases only.
    if os.getpid() != main:
        leases.kept_by = processes.named(main)

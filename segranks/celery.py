"""The Celery application: `celery -A segranks worker` where the embedded worker is not enough."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")

app = Celery("segranks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def take_up_unfinished_jobs(**_event: Any) -> None:
    """Whatever an earlier worker left, or nobody was told of, is begun again."""
    # Django is set up by now; it was not when this module was imported.
    from annotation.jobs import send_unfinished

    send_unfinished()

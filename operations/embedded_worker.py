"""The Celery worker and beat inside `manage.py up`, so that one process is enough."""

import os
import socket
import threading
from contextlib import suppress

from celery import current_app
from celery.beat import Scheduler, Service
from django.db import DatabaseError
from kombu.exceptions import OperationalError as BrokerError

from annotation.common.claims import release_of_this_process
from annotation.models import Chunk, StoredPreview
from annotation.pipeline import jobs
from annotation.pipeline.child_processes import kill_child_processes
from evaluation.models import StoredReport

WORKER = "embedded worker"
# A preparation uses one of them (see PREPARATION_WORKERS), and all together `jobs.MOST_AT_ONCE`, so
# that reports, previews and webhooks get their turn.
THREADS = 4
# Seconds in which work in progress may stop at its next step, and then without its programs.
STOPS_WITHIN = 3.0
STOPS_WITHOUT_PROGRAMS = 2.0


def is_running() -> bool:
    """Return whether this process has an embedded worker."""
    return any(thread.name == WORKER for thread in threading.enumerate())


class EmbeddedWorker:
    """A worker for all queues, and the schedule of periodic tasks, in threads of this process."""

    def __init__(self) -> None:
        # A unique name, so that the order to shut down reaches no other worker at the broker.
        self._name = f"up-{os.getpid()}@{socket.gethostname()}"
        self._worker = threading.Thread(target=self._work, name=WORKER, daemon=True)
        # At most a second between two looks at the schedule, so that it stops soon.
        self._schedule = Service(current_app, max_interval=1, scheduler_cls=Scheduler)
        self._beat = threading.Thread(target=self._schedule.start, name="beat", daemon=True)

    def start(self) -> None:
        jobs.stopping.clear()
        jobs.enqueue_pending()
        self._worker.start()
        self._beat.start()

    def stop(self) -> bool:
        """Stop within a few seconds and return whether all work has stopped.

        Work in progress stops at its next step, and its chunk is free again. Where a step takes
        too long, the caller has to end the process.
        """
        if self._worker.ident is None:
            return True
        jobs.stopping.set()
        self._schedule.stop()
        with suppress(BrokerError):
            current_app.control.shutdown(destination=[self._name])
        self._worker.join(STOPS_WITHIN)
        if self._worker.is_alive():
            kill_child_processes()
            self._worker.join(STOPS_WITHOUT_PROGRAMS)
        with suppress(DatabaseError):
            release_of_this_process(Chunk.objects.all())
            release_of_this_process(StoredPreview.objects.all(), slot=None)
            release_of_this_process(StoredReport.objects.all())
        return not self._worker.is_alive()

    def _work(self) -> None:
        worker = current_app.WorkController(
            hostname=self._name,
            pool="threads",
            concurrency=THREADS,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()

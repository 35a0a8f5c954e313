"""The worker inside `manage.py up`: a Celery worker in a thread, so that one process is enough."""

import os
import socket
import threading
from contextlib import suppress

from celery import current_app
from celery.worker import state as celery_state
from django.db import DatabaseError
from kombu.exceptions import OperationalError as BrokerError

from annotation import jobs, processes
from annotation.scouting import Scout

# Seconds between two looks at the jobs that other processes queued or left.
LOOK_EVERY = 1.0
# Seconds that a job may take to stop at its next step, and then without its programs.
PATIENCE = 3.0
LAST_PATIENCE = 2.0


WORKER = "embedded worker"


def is_running() -> bool:
    """Tell whether there is such a worker in this process."""
    return any(thread.name == WORKER for thread in threading.enumerate())


class EmbeddedWorker:
    """Does the jobs of this process, and those that other processes queued or left behind.

    There can be one in a process, since Celery keeps the order to stop for all of it.
    """

    def __init__(self) -> None:
        # Its own, so that an order to stop reaches no other worker at the same broker.
        self._name = f"up-{os.getpid()}@{socket.gethostname()}"
        self._worker = threading.Thread(target=self._work, name=WORKER, daemon=True)
        self._scout = Scout(LOOK_EVERY, keeps_schedule=True)

    def start(self) -> None:
        jobs.stopping.clear()
        celery_state.should_stop = None
        self._worker.start()
        self._scout.start()

    def stop(self) -> bool:
        """End within a few seconds and return whether all has ended.

        The job at work stops at its next step and goes back to the queue. Where it does not come
        to a next step in time, the caller should end the process: the job is free already.
        """
        self._scout.stop()
        jobs.stopping.set()
        celery_state.should_stop = 0  # type: ignore[assignment]
        if self._worker.ident is None:
            return True
        with suppress(BrokerError):
            # It looks at the order above every two seconds, and for messages all the time.
            current_app.control.shutdown(destination=[self._name])
        self._worker.join(PATIENCE)
        if self._worker.is_alive():
            processes.end_children()
            self._worker.join(LAST_PATIENCE)
        self._scout.join(LAST_PATIENCE)
        with suppress(DatabaseError):
            jobs.release_all()
        return not self._worker.is_alive()

    def _work(self) -> None:
        worker = current_app.WorkController(
            hostname=self._name,
            pool="solo",
            concurrency=1,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()

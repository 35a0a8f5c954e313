"""The worker inside `manage.py up`: a Celery worker in a thread, so that one process is enough."""

import os
import socket
import threading
from contextlib import suppress
from datetime import datetime
from logging import getLogger
from queue import Empty
from typing import Any

from celery import current_app
from celery.worker import state as celery_state
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.pipeline import jobs, processes
from annotation.pipeline.dispatcher import Scout
from annotation.pipeline.threads import Background

# Seconds between two looks at the jobs that other processes queued or left.
LOOK_EVERY = 1.0
# Seconds that a job may take to stop at its next step, and then without its programs.
PATIENCE = 3.0
LAST_PATIENCE = 2.0


WORKER = "embedded worker"
# Seconds between two looks whether to end.
ENDS_WITHIN = 1.0

log = getLogger(__name__)


class SideWorker(Background):
    """A thread that does the tasks of one queue, beside the worker that does all others.

    They are short, and wait for nothing that takes long. (A second Celery worker in a process would
    have the same queues as the first one.)
    """

    def __init__(self, queue: str) -> None:
        super().__init__(f"side worker {queue}", self._work)
        self._queue = queue

    def _work(self) -> None:
        while not self.ending.is_set():
            try:
                with current_app.connection_for_read() as broker:
                    self._do_all(broker)
            except Exception as problem:
                # A broker that is away, most likely. Nobody else does what is in this queue.
                log.warning("The queue %s waits: %s", self._queue, problem, exc_info=True)
                self.ending.wait(LOOK_EVERY)
        connection.close()

    def _do_all(self, broker: Any) -> None:
        with broker.SimpleQueue(self._queue) as queue:
            while not self.ending.is_set():
                with suppress(Empty):
                    message = queue.get(timeout=ENDS_WITHIN)
                    try:
                        close_old_connections()
                        do(message)
                    finally:
                        # Only what this process is killed at is to be done once more.
                        message.ack()


def do(message: Any) -> None:
    """Do the task of the message, unless it is void by now; what goes wrong is in the log."""
    said = message.headers
    if said.get("expires") and datetime.fromisoformat(said["expires"]) < timezone.now():
        return
    arguments, options, _embedded = message.payload
    current_app.tasks[said["task"]].apply(arguments, options, task_id=said["id"])


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
        queues = [queue.name for queue in current_app.conf.task_queues]
        self._default = current_app.conf.task_default_queue
        self._beside = [SideWorker(queue) for queue in queues if queue != self._default]
        self._scout = Scout(LOOK_EVERY, keeps_schedule=True)

    def start(self) -> None:
        jobs.stopping.clear()
        celery_state.should_stop = None
        self._worker.start()
        for beside in self._beside:
            beside.start()
        self._scout.start()

    def stop(self) -> bool:
        """End within a few seconds and return whether all has ended.

        The job at work stops at its next step and goes back to the queue. Where it does not come
        to a next step in time, the caller should end the process: the job is free already.
        """
        self._scout.stop()
        for beside in self._beside:
            beside.stop()
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
        for beside in self._beside:
            beside.join(LAST_PATIENCE)
        with suppress(DatabaseError):
            jobs.release_all()
        return not self._worker.is_alive()

    def _work(self) -> None:
        worker = current_app.WorkController(
            hostname=self._name,
            queues=[self._default],
            pool="solo",
            concurrency=1,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()

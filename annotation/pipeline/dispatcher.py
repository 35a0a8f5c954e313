"""Looking for jobs that nobody works on: queued by another process, or left by one that is gone."""

from contextlib import suppress
from logging import getLogger
from math import inf
from time import monotonic

from celery import current_app
from django.db import DatabaseError, close_old_connections, connection
from kombu.exceptions import OperationalError as BrokerError

from annotation.pipeline import chunks, jobs
from annotation.pipeline.threads import Background

log = getLogger(__name__)

# Seconds after which the workers are told once more of what none of them has begun.
TELL_AGAIN = 30.0


class Scout(Background):
    """A thread that tells the workers, every so many seconds, of jobs that nobody works on.

    With `keeps_schedule` it sends what is due by the schedule too, as `celery beat` does elsewhere.
    """

    def __init__(self, every: float, *, keeps_schedule: bool = False) -> None:
        super().__init__("scout", self._look)
        self._every = every
        self._keeps_schedule = keeps_schedule

    def _look(self) -> None:
        told: dict[tuple[object, ...], float] = {}
        sent: dict[str, float] = {}
        while True:
            try:
                close_old_connections()
                tell(told)
                if self._keeps_schedule:
                    keep_schedule(sent)
            except DatabaseError as problem:
                log.warning("The database does not answer: %s", problem)
            except Exception:
                # Nobody else looks: a broker that comes back may leave a client of it in pieces.
                log.exception("This look for jobs failed; the next one comes in a moment.")
            if self.ending.wait(self._every):
                break
        connection.close()


def tell(told: dict[tuple[object, ...], float]) -> None:
    """Send for what is left of jobs, and again after a while: a message may be lost.

    `told` remembers when each was sent for, since a queue may be long. Where somebody works on a
    job he tells of the rest himself.
    """
    now = monotonic()
    left = {
        chunks.what_is_left(job): job.pk for job in jobs.unclaimed() if not chunks.holder_of(job)
    }
    for forgotten in [what for what in told if what not in left]:
        del told[forgotten]
    for what, job_id in left.items():
        if now >= told.get(what, -inf) + TELL_AGAIN and jobs.send_now(job_id):
            told[what] = now


def keep_schedule(sent: dict[str, float]) -> None:
    """Send the tasks that are due. `sent` remembers when each was sent last."""
    now = monotonic()
    for name, entry in current_app.conf.beat_schedule.items():
        if now < sent.get(name, -inf) + entry["schedule"]:
            continue
        sent[name] = now
        with suppress(BrokerError):
            # Whoever comes too late to it need not do it: the next one is under way.
            current_app.send_task(entry["task"], expires=entry["schedule"])

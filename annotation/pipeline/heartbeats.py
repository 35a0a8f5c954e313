"""Signs of life: a worker gives them for its chunks, and frees those of workers that give none.

On its own machine a process is known to be gone by its id. Of one elsewhere only its lease tells,
and that has to be long: work in C may keep all other threads of its process waiting for many
seconds, among them the one that renews the lease. The main process of a worker does no such work.
So where it is silent for seconds, its machine or its container is gone, and nobody waits for the
leases of its children to run out. They run out as ever where a child does not renew them: its main
process says no more than that it is there.
"""

import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from logging import getLogger
from typing import NamedTuple

from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import F, QuerySet

from annotation.common.clock import steady
from annotation.models import Chunk, Job
from annotation.pipeline import jobs, processes
from annotation.pipeline.chunks import process_of
from annotation.pipeline.leases import NOBODYS
from annotation.pipeline.threads import Background

log = getLogger(__name__)

# Between two looks.
EVERY = timedelta(seconds=1)
# A worker that was silent for so long is taken for gone.
SILENT = timedelta(seconds=5)
# Whoever looks so much later than he should stood still, and perhaps all others did.
LATE = timedelta(seconds=3)
# After that, or after the database was away, others have so much more time: they may be trying to
# connect, which takes 5 seconds where nobody answers, and then wait for their next look.
REPRIEVE = timedelta(seconds=6)


class Kept(NamedTuple):
    """A chunk at work that somebody gives signs of life for; another one as soon as he did."""

    pk: int
    job_id: int
    owner: str
    kept_by: str
    signs: int
    # The process at work renews it itself: a sign, too.
    lease_until: datetime

    @property
    def keeper(self) -> str:
        return process_of(self.kept_by)

    @property
    def is_kept(self) -> bool:
        """Whether the signs are for this owner.

        Workers of the version before leave there what was written for another.
        """
        return self.kept_by.rpartition(":")[2] == self.owner.rpartition(":")[2]


class Watch:
    """Signs for the chunks that `process` keeps, and what it has seen of the chunks of others.

    It compares what it sees with what it saw, by its own steady clock: no two clocks.
    """

    def __init__(self, process: str, clock: Callable[[], timedelta] = steady) -> None:
        self._process = process
        self._clock = clock
        self._seen_since: dict[Kept, timedelta] = {}
        self._due = self._counts_from = clock()

    def look(self) -> None:
        """Give signs, and free the chunks of workers that gave none for long.

        Whatever is raised, and where it comes late, all that was seen before counts no more.
        """
        now = self._clock()
        if now > self._due + LATE:
            self._forget()
        self._due = now + EVERY
        try:
            found = _kept()
            _give_signs(kept for kept in found if kept.keeper == self._process)
            for silent in self._silent([k for k in found if k.keeper != self._process], now):
                self._free(silent)
        except Exception:
            self._forget()
            raise

    def _forget(self) -> None:
        self._seen_since.clear()
        self._counts_from = self._clock() + REPRIEVE

    def _silent(self, others: list[Kept], looked: timedelta) -> list[Kept]:
        """Return those that were seen like this long before this look began."""
        # As late as can be: the database may have been slow to answer.
        seen = max(self._clock(), self._counts_from)
        self._seen_since = {kept: self._seen_since.get(kept, seen) for kept in others}
        return [kept for kept, since in self._seen_since.items() if looked - since >= SILENT]

    def _free(self, kept: Kept) -> None:
        del self._seen_since[kept]
        # Where somebody writes it just now, that is a sign as well: it is seen anew.
        if free(kept):
            log.warning(
                "The worker %s gives no sign of life: others do its chunk of job %s.",
                kept.keeper,
                kept.job_id,
            )
            # A broker that does not answer keeps whoever tells it waiting, and no signs.
            threading.Thread(target=jobs.send_now, args=(kept.job_id,), daemon=True).start()


class Watcher(Background):
    """A thread that looks every second, whatever happens."""

    def __init__(self, every: timedelta = EVERY) -> None:
        super().__init__("signs of life", self._look)
        self._every = every.total_seconds()
        self._is_away = False

    def start(self) -> None:
        """Begin, unless all workers are on this machine, as with SQLite, and know who is gone.

        There a sign would wait for whoever writes, too.
        """
        if connection.features.has_select_for_update_skip_locked:
            super().start()

    def _look(self) -> None:
        watch = Watch(processes.this_process())
        while True:
            try:
                # A connection is kept as long as it works: there may be no other at once.
                watch.look()
                self._is_away = False
            except DatabaseError as problem:
                self._say_once(problem)
                connection.close()
            except Exception:
                # Without signs from here others would do once more what is done here.
                log.exception("This look for signs of life failed; the next one comes in a moment.")
            if self.ending.wait(self._every):
                break
        connection.close()

    def _say_once(self, problem: DatabaseError) -> None:
        if not self._is_away:
            log.warning("No signs of life while the database does not answer: %s", problem)
        self._is_away = True


def free(kept: Kept) -> bool:
    """Let anyone do the chunk, unless something has changed or somebody writes it just now."""
    same = Chunk.objects.filter(
        pk=kept.pk,
        state=Chunk.State.RUNNING,
        owner=kept.owner,
        signs=kept.signs,
        lease_until=kept.lease_until,
    )
    with transaction.atomic():
        # It was begun, which counts: it may be that which ended the worker.
        return bool(_nobody_writes(same).update(state=Chunk.State.WAITING, **NOBODYS))


def _kept() -> list[Kept]:
    """Return the chunks of all workers that some process gives signs for."""
    at_work = Chunk.objects.filter(state=Chunk.State.RUNNING, job__state=Job.State.RUNNING)
    rows = at_work.exclude(kept_by="").values_list(*Kept._fields)
    return [kept for kept in (Kept(*row) for row in rows) if kept.is_kept]


def _give_signs(ours: Iterable[Kept]) -> None:
    """Give a sign for each whose process lives; nothing is written where there is none."""
    living = {kept for kept in ours if not processes.is_gone(process_of(kept.owner))}
    if living:
        same = Chunk.objects.filter(
            pk__in=[kept.pk for kept in living],
            owner__in=[kept.owner for kept in living],
            state=Chunk.State.RUNNING,
        )
        with transaction.atomic():
            _nobody_writes(same).update(signs=F("signs") + 1)


def _nobody_writes(chunks: QuerySet[Chunk]) -> QuerySet[Chunk]:
    """Return those that nobody has locked; nobody else has until this transaction ends."""
    locked = chunks.select_for_update(skip_locked=True).values_list("pk", flat=True)
    return Chunk.objects.filter(pk__in=list(locked))

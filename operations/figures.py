"""Figures of the database and the broker for those who monitor an installation.

No figure reads more rows than there are projects, reports, unfinished work and open sentences, so
that they are cheap in a project of any size.
"""

from dataclasses import dataclass
from datetime import timedelta
from time import time
from typing import Any, Final

from celery import current_app
from django.db import connection
from django.db.models import Count, Q, QuerySet

from annotation.common import claims
from annotation.models import Assignment, Chunk, Job, Project, StoredPreview
from annotation.models.leased_rows import LeasedRow
from annotation.pipeline import chunks
from annotation.process import clock
from evaluation.models import StoredReport
from operations import beat_runs, health
from webhooks.models import Delivery

# A message that is due for longer is late.
LATE: Final = timedelta(minutes=1)
# Messages that were given up count for so long.
RECENT: Final = timedelta(hours=1)


@dataclass(frozen=True)
class Server:
    """Figures of PostgreSQL: seconds, bytes and connections.

    `clock_offset` is positive if the clock of this host is ahead of the database's.
    """

    clock_offset: float
    size: int
    connections: int
    max_connections: int
    oldest_transaction: float


@dataclass(frozen=True)
class DatabaseFigures:
    """Figures at one time.

    `jobs` has all states. `work` has counts by kind and state: "waiting" can begin now, "running"
    has a worker, "lost" has a worker whose lease has expired, "failed" ended with an error.
    `server` is None on SQLite.
    """

    jobs: dict[str, int]
    work: dict[tuple[str, str], int]
    open_sentences: int
    drafts: int
    unapplied_migrations: int
    server: Server | None


@dataclass(frozen=True)
class BrokerFigures:
    """Messages by queue, workers that answer a ping, and how often beat has run."""

    messages: dict[str, int]
    workers: int
    beat_runs: int


def database_figures() -> DatabaseFigures:
    """Raise DatabaseError if the database does not answer."""
    counted = dict(Job.objects.values_list("state").annotate(Count("pk")).order_by())
    # The partial index of open assignments has at most one a person and project.
    opened = Assignment.objects.filter(state=Assignment.State.OPEN).aggregate(
        valid=Count("pk", filter=Q(lease_until__gt=clock.now())),
        drafts=Count("pk", filter=Q(draft_version__gt=0)),
    )
    return DatabaseFigures(
        jobs={str(state): counted.get(state, 0) for state in Job.State.values},
        work={
            (kind, state): count
            for kind, states in _work().items()
            for state, count in states.items()
        },
        open_sentences=opened["valid"],
        drafts=opened["drafts"],
        unapplied_migrations=health.unapplied_migrations(),
        server=_server() if connection.vendor == "postgresql" else None,
    )


def _work() -> dict[str, dict[str, int]]:
    now = clock.now()
    unfinished = Job.objects.filter(state__in=Job.AT_WORK)
    of_jobs = _states(Chunk.objects.filter(job__in=unfinished))
    claimable = sum(chunks.claimable_count(job) for job in unfinished.order_by("pk"))
    deliveries = Delivery.objects.all()
    return {
        # The first chunk of a stage has no row yet.
        "chunk": of_jobs | {"waiting": claimable - of_jobs["lost"]},
        "preview": _states(StoredPreview.objects.all()),
        "report": _states(StoredReport.objects.filter(project__delete_after=None)),
        "deletion": {
            "waiting": Project.with_hidden.filter(delete_after__lte=now).count(),
            "running": Project.with_hidden.filter(delete_after__gt=now).count(),
        },
        "webhook": {
            "waiting": deliveries.filter(state=Delivery.State.WAITING, due__lt=now - LATE).count(),
            "failed": deliveries.filter(
                state=Delivery.State.GIVEN_UP, ended__gt=now - RECENT
            ).count(),
        },
    }


def _states(rows: QuerySet[Any]) -> dict[str, int]:
    state = LeasedRow.State
    return {
        "waiting": rows.filter(state=state.WAITING).count(),
        "running": claims.live(rows).count(),
        "lost": claims.claimable(rows).filter(state=state.RUNNING).count(),
        "failed": rows.filter(state=state.FAILED).count(),
    }


def _server() -> Server:
    with connection.cursor() as cursor:
        before = time()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        [theirs] = cursor.fetchone()
        ours = (before + time()) / 2
        cursor.execute(
            """
            SELECT pg_database_size(current_database()),
                (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
                current_setting('max_connections')::int,
                (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)
                 FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid())
            """
        )
        size, connections, max_connections, oldest = cursor.fetchone()
    return Server(ours - float(theirs), size, connections, max_connections, float(oldest))


def broker_figures() -> BrokerFigures:
    """Raise an error of the broker's library if it does not answer."""
    messages = {}
    with current_app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=health.TIMEOUT)
        channel = broker.default_channel
        for queue in current_app.conf.task_queues:
            # Declaring a queue that exists changes nothing, and returns its length.
            declared = channel.queue_declare(  # type: ignore[attr-defined]  # missing in the stubs
                queue=queue.name, durable=queue.durable
            )
            messages[queue.name] = declared.message_count
    return BrokerFigures(messages, health.count_workers(), beat_runs.count())

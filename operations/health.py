"""/healthz and /readyz, for load balancers and monitoring."""

from collections.abc import Callable
from functools import cache
from logging import getLogger

from celery import current_app
from django.core.cache import cache as default_cache
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

from annotation.pipeline import chunks
from operations import embedded_worker

log = getLogger(__name__)

OK = "ok"
NO_ANSWER = "does not answer"
# Seconds that the broker and a worker have to answer; the database has its own connect_timeout.
TIMEOUT = 2
# Seconds: anybody may request /readyz, so each process checks no more often than this.
CACHED = 2
# Beat answers a ping too, and so does the worker for webhooks, which prepares nothing.
PREPARING_WORKERS = r"(?!celerybeat@|webhooks@)"


def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if this process answers; it needs neither the database nor the broker."""
    return JsonResponse({"alive": True})


def readyz(request: HttpRequest) -> HttpResponse:
    """Return, for each thing that SegRanks needs, "ok" or the problem; 503 if one is not ok."""
    found = default_cache.get_or_set("readyz", check_all, CACHED) or {}
    ready = all(answer == OK for answer in found.values())
    return JsonResponse({"ready": ready, **found}, status=200 if ready else 503)


def check_all() -> dict[str, str]:
    """Check one thing after the other; one that needs a server which is away is not tried."""
    database = _answer("database", check_database)
    broker = _answer("broker", check_broker)
    return {
        "database": database,
        "migrations": _answer("migrations", check_migrations) if database == OK else NO_ANSWER,
        "broker": broker,
        "worker": _answer("worker", check_worker) if broker == OK else NO_ANSWER,
    }


def _answer(name: str, check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as problem:
        log.warning("No answer (%s): %s", name, problem)
        return NO_ANSWER


def check_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def check_migrations() -> str:
    missing = unapplied_migrations()
    return f"{missing} not applied" if missing else OK


def unapplied_migrations() -> int:
    """Return how many migrations of this version the database lacks."""
    return len(_migrations() - set(MigrationRecorder(connection).applied_migrations()))


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def check_broker() -> str:
    with current_app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=TIMEOUT)
    return OK


def check_worker() -> str:
    """Ping the workers; one without child processes (`--pool solo`) answers between tasks only."""
    if embedded_worker.is_running() or _ping(within=TIMEOUT, limit=1):
        return OK
    return OK if chunks.has_live_lease() else "none answers"


def count_workers() -> int:
    """Return how many workers answer a ping within a second, which this takes."""
    return 1 if embedded_worker.is_running() else _ping(within=1)


def _ping(within: float, limit: int | None = None) -> int:
    control = current_app.control
    replies = control.broadcast(
        "ping",
        reply=True,
        timeout=within,
        limit=limit,
        pattern=PREPARING_WORKERS,
        matcher="pcre",  # type: ignore[arg-type]  # the stubs know only functions
    )
    # Kombu keeps later replies for a caller that will never ask for them.
    control.mailbox.unclaimed.clear()  # type: ignore[attr-defined]  # missing in the stubs
    return len(replies or ())

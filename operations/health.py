"""Whether this process is alive, and whether all that SegRanks needs is there."""

from functools import cache

from celery import current_app
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

from annotation.pipeline import chunks
from operations import embedded_worker
from operations.probes import OK, Panel

# Beat answers too, by its name, and so does who only sends webhooks: neither prepares anything.
WORKERS = r"(?!celerybeat@|webhooks@)"
# Seconds that a worker has to answer.
REPLY_WITHIN = 2


def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked, so that nothing else can make it fail."""
    return JsonResponse({"alive": True})


def readyz(request: HttpRequest) -> HttpResponse:
    """What SegRanks needs, a field for each, "ok" or what is wrong; 503 where one is not ok."""
    answers = panel().answers()
    ready = all(answer == OK for answer in answers.values())
    return JsonResponse({"ready": ready, **answers}, status=200 if ready else 503)


@cache
def panel() -> Panel:
    """Return the one panel of this process."""
    return Panel(
        {
            "database": ask_database,
            "migrations": ask_migrations,
            "broker": ask_broker,
            "worker": ask_worker,
        }
    )


def ask_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def ask_migrations() -> str:
    missing = len(_migrations() - set(MigrationRecorder(connection).applied_migrations()))
    return f"{missing} not applied" if missing else OK


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def ask_broker() -> str:
    with current_app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=REPLY_WITHIN)
    return OK


def ask_worker() -> str:
    """Ask for any worker; one that does all by itself answers only between two tasks."""
    if embedded_worker.is_running():
        return OK
    control = current_app.control
    replies = control.broadcast(
        "ping",
        reply=True,
        timeout=REPLY_WITHIN,
        limit=1,
        pattern=WORKERS,
        matcher="pcre",  # type: ignore[arg-type]  # the stubs know of functions only
    )
    # Replies that come later are kept there for somebody who never asks.
    control.mailbox.unclaimed.clear()  # type: ignore[attr-defined]  # missing in the stubs
    return OK if replies or chunks.has_live_lease() else "none answers"

"""Metrics for Prometheus, of the requests and of the database.

The processes of gunicorn keep their metrics in a common folder (PROMETHEUS_MULTIPROC_DIR, see
`segranks.gunicorn`), and the one that answers adds them up. Without the folder a process reports
its own, which is enough for `manage.py up`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from logging import getLogger
from typing import Final, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from operations.figures import (
    BrokerFigures,
    DatabaseFigures,
    Server,
    broker_figures,
    database_figures,
)

log = getLogger(__name__)

T = TypeVar("T")
# Values by their labels.
Values = dict[tuple[str, ...], float]

# Seconds for which a process caches figures of the database and of the broker.
CACHED = 15
HTTP_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

requests = Counter(
    "segranks_requests", "Requests answered.", ["view", "method", "status"], registry=None
)
seconds = Histogram(
    "segranks_request_seconds",
    "Seconds until a request was answered.",
    ["view", "method"],
    registry=None,
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
in_progress = Gauge(
    "segranks_requests_in_progress",
    "Requests that a thread works on, but for sending the body of a download or medium.",
    registry=None,
    multiprocess_mode="livesum",
)
OF_REQUESTS: Final = (requests, seconds, in_progress)


def counted_in_progress() -> AbstractContextManager[object]:
    """Count a request as in progress inside this context, if there are metrics."""
    return in_progress.track_inprogress() if settings.METRICS_TOKEN else nullcontext()


def count_request(view: str, method: str | None, status: int, took: float) -> None:
    """Count an answered request."""
    known = method if method in HTTP_METHODS else "other"
    requests.labels(view, known, str(status)).inc()
    seconds.labels(view, known).observe(took)


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics if the bearer token is METRICS_TOKEN; 404 if that is not set."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound()
    given = request.headers.get("Authorization", "")
    if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(FiguresCollector())
    if settings.PROMETHEUS_MULTIPROC_DIR:
        MultiProcessCollector(registry, settings.PROMETHEUS_MULTIPROC_DIR)  # type: ignore[no-untyped-call]
    else:
        for metric in OF_REQUESTS:
            registry.register(metric)
    return registry


class FiguresCollector(Collector):
    """Figures of the database and the broker, read by each process at most once in CACHED seconds.

    Those of a server that does not answer, and those that only PostgreSQL has, have no values.
    """

    def describe(self) -> list[Metric]:
        # Without this method, registering the collector would call `collect`.
        return []

    def collect(self) -> Iterator[Metric]:
        yield _gauge("build_info", "Version.", {(settings.VERSION,): 1}, "version")
        database = _answer("database", database_figures)
        yield _gauge("database_up", "Whether the database answers.", bool(database))
        yield from _of_database(database)
        yield from _of_server(database.server if database else None)
        broker = _answer("broker", broker_figures)
        yield _gauge("broker_up", "Whether the broker answers.", bool(broker))
        yield from _of_broker(broker)


def _answer(name: str, read: Callable[[], T]) -> T | None:
    try:
        return cache.get_or_set(f"metrics-{name}", read, CACHED)
    except Exception as problem:
        # Of the database, or of any library that speaks to the broker.
        log.warning("No answer (%s): %s", name, problem)
        return None


def _of_database(found: DatabaseFigures | None) -> Iterator[Metric]:
    jobs: Values = {(state,): count for state, count in found.jobs.items()} if found else {}
    yield _gauge("jobs", "Jobs by state.", jobs, "state")
    work: Values = dict(found.work.items()) if found else {}
    yield _gauge("work", "Work of workers by kind and state.", work, "kind", "state")
    opened, drafts = (found.open_sentences, found.drafts) if found else (None, None)
    yield _gauge("open_sentences", "Sentences assigned and not submitted.", opened)
    yield _gauge("drafts", "Of these, sentences with a draft.", drafts)
    missing = found.unapplied_migrations if found else None
    yield _gauge("unapplied_migrations", "Migrations of this version to be applied.", missing)


def _of_server(found: Server | None) -> Iterator[Metric]:
    for name, documentation, value in (
        ("clock_offset_seconds", "This host's clock minus the database's.", "clock_offset"),
        ("database_bytes", "Size of the database.", "size"),
        ("database_connections", "Connections of clients to the server.", "connections"),
        ("database_max_connections", "Connections that the server allows.", "max_connections"),
        (
            "database_oldest_transaction_seconds",
            "Age of the oldest transaction in the database.",
            "oldest_transaction",
        ),
    ):
        yield _gauge(name, documentation, getattr(found, value) if found else None)


def _of_broker(found: BrokerFigures | None) -> Iterator[Metric]:
    messages: Values = {(queue,): count for queue, count in found.messages.items()} if found else {}
    yield _gauge("queue_messages", "Messages that wait in a queue.", messages, "queue")
    yield _gauge("workers", "Workers that answer a ping.", found.workers if found else None)
    yield _gauge("beat_runs", "Times that beat has run.", found.beat_runs if found else None)


def _gauge(
    name: str,
    documentation: str,
    values: float | Values | None,
    *labels: str,
) -> GaugeMetricFamily:
    """Return the gauge with these values by their labels, or with the one value, or with none."""
    gauge = GaugeMetricFamily(f"segranks_{name}", documentation, labels=labels)
    if not isinstance(values, dict):
        values = {} if values is None else {(): values}
    for labelled, value in values.items():
        gauge.add_metric(labelled, value)
    return gauge

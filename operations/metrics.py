"""Metrics for Prometheus, of the requests and of the database.

The processes of gunicorn keep their metrics in a common folder (PROMETHEUS_MULTIPROC_DIR, see
`segranks.gunicorn`), and the one that answers adds them up. Without the folder a process reports
its own, which is enough for `manage.py up`.
"""

from collections.abc import Iterator
from logging import getLogger

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from annotation.selectors.installation_metrics import Workload, workload

log = getLogger(__name__)

# Seconds: the database counts all judgements for these metrics.
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
    registry.register(DatabaseCollector())
    if settings.PROMETHEUS_MULTIPROC_DIR:
        MultiProcessCollector(registry, settings.PROMETHEUS_MULTIPROC_DIR)  # type: ignore[no-untyped-call]
    else:
        registry.register(requests)
        registry.register(seconds)
    return registry


class DatabaseCollector(Collector):
    """What the database contains, counted by each process at most once in CACHED seconds."""

    def describe(self) -> list[Metric]:
        # Without this method, registering the collector would call `collect`.
        return []

    def collect(self) -> Iterator[Metric]:
        info = GaugeMetricFamily("segranks_build_info", "Version.", labels=["version"])
        info.add_metric([settings.VERSION], 1)
        yield info
        found: Workload | None = None
        try:
            found = cache.get_or_set("metrics", workload, CACHED)
        except DatabaseError as problem:
            log.warning("The database does not answer: %s", problem)
        yield GaugeMetricFamily("segranks_database_up", "Whether it answers.", value=bool(found))
        if found:
            yield from _families(found)


def _families(found: Workload) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("segranks_jobs", "Jobs by state.", labels=["state"])
    for state, count in found.jobs.items():
        jobs.add_metric([state], count)
    yield jobs
    yield GaugeMetricFamily(
        "segranks_judgements", "Judgements stored, revised ones included.", value=found.judgements
    )
    yield GaugeMetricFamily("segranks_drafts", "Drafts stored.", value=found.drafts)
    yield GaugeMetricFamily(
        "segranks_open_leases", "Sentences assigned and not submitted.", value=found.leases
    )
    yield GaugeMetricFamily(
        "segranks_unclaimed_chunks", "Chunks that a worker could do now.", value=found.unclaimed
    )

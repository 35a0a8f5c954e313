"""Figures for Prometheus: of requests by the processes that answer them, and of the database.

Where several processes serve the web, gunicorn names a folder in which each keeps its figures
(PROMETHEUS_MULTIPROC_DIR, see `segranks.gunicorn`), and whichever is asked adds them up. Without
it each process tells its own, as `manage.py up` does, which is one.
"""

import threading
from collections.abc import Iterator
from logging import getLogger
from time import monotonic

from django.conf import settings
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

# Seconds that the figures of the database are kept: it counts all judgements for them.
KEPT = 15.0
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

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


def note_request(view: str, method: str | None, status: int, took: float) -> None:
    """Count a request that was answered."""
    known = method if method in METHODS else "other"
    requests.labels(view, known, str(status)).inc()
    seconds.labels(view, known).observe(took)


def metrics(request: HttpRequest) -> HttpResponse:
    """The figures, for whoever gives METRICS_TOKEN as a bearer; where there is none, no page."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound()
    given = request.headers.get("Authorization", "")
    if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(stored)
    if settings.PROMETHEUS_MULTIPROC_DIR:
        MultiProcessCollector(registry, settings.PROMETHEUS_MULTIPROC_DIR)  # type: ignore[no-untyped-call]
    else:
        registry.register(requests)
        registry.register(seconds)
    return registry


class Stored(Collector):
    """What the database tells, counted at most every KEPT seconds by each process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted = 0.0
        self._workload: Workload | None = None

    def describe(self) -> list[Metric]:
        # So that nothing is counted when it is registered.
        return []

    def collect(self) -> Iterator[Metric]:
        info = GaugeMetricFamily("segranks_build_info", "Version.", labels=["version"])
        info.add_metric([settings.VERSION], 1)
        yield info
        found = self._count()
        yield GaugeMetricFamily("segranks_database_up", "Whether it answers.", value=bool(found))
        if found:
            yield from _families(found)

    def _count(self) -> Workload | None:
        with self._lock:
            if not self._counted or monotonic() - self._counted >= KEPT:
                try:
                    self._workload = workload()
                except DatabaseError as problem:
                    log.warning("The database does not answer: %s", problem)
                    self._workload = None
                self._counted = monotonic()
            return self._workload


def _families(found: Workload) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("segranks_jobs", "Jobs by state.", labels=["state"])
    for state, count in found.jobs.items():
        jobs.add_metric([state], count)
    yield jobs
    yield GaugeMetricFamily(
        "segranks_judgements", "Judgements stored, of all versions.", value=found.judgements
    )
    yield GaugeMetricFamily("segranks_drafts", "Drafts stored.", value=found.drafts)
    yield GaugeMetricFamily(
        "segranks_open_leases", "Sentences in somebody's hands.", value=found.leases
    )
    yield GaugeMetricFamily(
        "segranks_unclaimed_chunks", "Chunks that any worker could do now.", value=found.unclaimed
    )


stored = Stored()

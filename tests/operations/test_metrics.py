"""/metrics, for Prometheus."""

import signal
import sys
import urllib.error
import urllib.request
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import Job, Project
from evaluation.models import StoredReport
from operations import beat_runs
from tests.factories import make_annotator, make_project, next_assignment
from tests.installation import Installation, wait_until
from tests.services import free_port

# Constant, because all xdist processes must collect tests of the same names.
TOKEN = "x5bQ-a-token-for-tests-only-9fJw2"
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def token(settings: Any) -> str:
    settings.METRICS_TOKEN = TOKEN
    cache.clear()
    return TOKEN


def read(text: str) -> Figures:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figure(figures: Figures, name: str, **labels: str) -> float:
    return figures.get((name, frozenset(labels.items())), 0.0)


def ask(client: Client, token: str = TOKEN) -> Figures:
    answer = client.get("/metrics", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return read(answer.content.decode())


def test_it_is_not_found_if_no_token_is_set(client: Client) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", TOKEN, "Bearer é"])
def test_it_refuses_another_token(client: Client, token: str, given: str) -> None:
    answer = client.get("/metrics", headers={"authorization": given} if given else {})
    assert (answer.status_code, answer.content) == (401, b"")


@pytest.mark.django_db
def test_it_counts_requests_by_view_method_and_status(client: Client, token: str) -> None:
    before = ask(client)
    for _ in range(3):
        client.get("/sign-in/")
    client.get("/nowhere/at/all/")
    client.get("/sign-in/link/S3cretT0ken/")
    client.generic("BREW", "/sign-in/")
    after = ask(client)

    def more(name: str, **labels: str) -> float:
        return figure(after, name, **labels) - figure(before, name, **labels)

    counted = "segranks_requests_total"
    assert more(counted, view="sign-in", method="GET", status="200") == 3
    assert more(counted, view="none", method="GET", status="404") == 1
    assert more(counted, view="sign-in", method="other", status="405") == 1
    assert more("segranks_request_seconds_count", view="sign-in", method="GET") == 3
    assert more("segranks_request_seconds_bucket", view="sign-in", method="GET", le="+Inf") == 3
    assert not any("S3cretT0ken" in str(labels) for _name, labels in after)


@pytest.mark.databases
@pytest.mark.django_db
def test_it_has_figures_of_the_database(client: Client, token: str) -> None:
    project = make_project(sentences=2)
    next_assignment(annotator=make_annotator(project), project=project)
    Job.objects.create(project=project)
    make_report(project, state="waiting")
    figures = ask(client)
    assert figure(figures, "segranks_database_up") == 1
    assert figure(figures, "segranks_jobs", state="queued") == 1
    assert figure(figures, "segranks_jobs", state="done") == 0
    assert figure(figures, "segranks_open_sentences") == 1
    assert figure(figures, "segranks_drafts") == 0
    for kind in ("chunk", "report"):
        assert figure(figures, "segranks_work", kind=kind, state="waiting") == 1
        assert figure(figures, "segranks_work", kind=kind, state="running") == 0
    assert figure(figures, "segranks_unapplied_migrations") == 0
    if connection.vendor == "postgresql":
        assert abs(figure(figures, "segranks_clock_offset_seconds")) < 10
        assert figure(figures, "segranks_database_bytes") > 1_000_000
        most = figure(figures, "segranks_database_max_connections")
        assert 1 <= figure(figures, "segranks_database_connections") <= most
    # Each process caches them.
    Job.objects.update(state="done")
    assert figure(ask(client), "segranks_jobs", state="queued") == 1


@pytest.mark.django_db
def test_it_tells_lost_work_from_running_work(client: Client, token: str) -> None:
    now, owned = (
        timezone.now(),
        {"state": "running", "worker": "host:1:a", "started": timezone.now()},
    )
    minute = timedelta(minutes=1)
    make_report(make_project("one"), **owned, lease_until=now + minute)
    make_report(make_project("two"), **owned, lease_until=now - minute)
    make_report(make_project("three"), state="failed")
    figures = ask(client)
    for state in ("running", "lost", "failed"):
        assert figure(figures, "segranks_work", kind="report", state=state) == 1
    assert figure(figures, "segranks_work", kind="report", state="waiting") == 0


def make_report(project: Project, **fields: object) -> StoredReport:
    return StoredReport.objects.create(project=project, key="some", options={}, **fields)


def test_it_answers_without_a_database(client: Client, token: str) -> None:
    # Without the marker django_db, a query fails.
    figures = ask(client)
    assert figure(figures, "segranks_database_up") == 0
    assert figure(figures, "segranks_build_info", version=settings.VERSION) == 1
    assert not any(name == "segranks_work" for name, _labels in figures)


@pytest.mark.process
def test_it_answers_without_a_broker(installed: Installation) -> None:
    installed.environment |= {"METRICS_TOKEN": TOKEN, "CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}
    code = f"""
from django.test import Client
print(Client().get("/metrics", headers={{"authorization": "Bearer {TOKEN}"}}).content.decode())
"""
    figures = read(installed.execute(code))
    assert figure(figures, "segranks_broker_up") == 0
    assert figure(figures, "segranks_database_up") == 1
    assert not any(name == "segranks_workers" for name, _labels in figures)


@pytest.mark.django_db
def test_it_counts_runs_of_beat_and_messages(client: Client, token: str) -> None:
    before = ask(client)
    for task in (beat_runs.TASK, "evaluation.tasks.refresh_reports"):
        current_app.send_task(task)
    cache.clear()
    after = ask(client)
    assert figure(after, "segranks_broker_up") == 1
    for name, labels, more in (
        ("segranks_beat_runs", {}, 1),
        ("segranks_queue_messages", {"queue": "celery"}, 2),
    ):
        assert figure(after, name, **labels) - figure(before, name, **labels) == more


@pytest.mark.django_db
def test_it_counts_itself_as_in_progress(client: Client, token: str) -> None:
    assert figure(ask(client), "segranks_requests_in_progress") == 1


@pytest.mark.process
@pytest.mark.slow
def test_it_adds_up_all_processes(installed: Installation) -> None:
    installed.environment |= {"METRICS_TOKEN": TOKEN, "WEB_CONCURRENCY": "3"}
    port = free_port()
    web = installed.start(
        *(sys.executable, "-m", "gunicorn", "--config", "python:segranks.gunicorn"),
        *(f"--bind=127.0.0.1:{port}", "segranks.wsgi"),
    )
    wait_until(lambda: answers(port, "/healthz"))
    # Enough requests to reach each process.
    for _ in range(60):
        assert answers(port, "/healthz")
    labels = {"view": "healthz", "method": "GET", "status": "200"}
    found = {figure(scrape(port), "segranks_requests_total", **labels) for _ in range(10)}
    assert len(found) == 1
    assert found.pop() >= 61
    assert web.interrupt(signal.SIGTERM) == 0


def answers(port: int, path: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def scrape(port: int) -> Figures:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return read(answer.read().decode())

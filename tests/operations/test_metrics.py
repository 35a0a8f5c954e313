"""/metrics, for Prometheus."""

import signal
import sys
import urllib.error
import urllib.request
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import Job
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


@pytest.mark.django_db
def test_it_counts_rows_of_the_database(client: Client, token: str) -> None:
    project = make_project(sentences=2)
    next_assignment(annotator=make_annotator(project), project=project)
    Job.objects.create(project=project)
    figures = ask(client)
    assert figure(figures, "segranks_database_up") == 1
    assert figure(figures, "segranks_jobs", state="queued") == 1
    assert figure(figures, "segranks_jobs", state="done") == 0
    assert figure(figures, "segranks_open_leases") == 1
    assert figure(figures, "segranks_unclaimed_chunks") == 1
    assert figure(figures, "segranks_judgements") == figure(figures, "segranks_drafts") == 0
    # Counting all judgements is expensive, so the counts are cached.
    Job.objects.update(state="done")
    assert figure(ask(client), "segranks_jobs", state="queued") == 1


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

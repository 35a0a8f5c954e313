"""/healthz and /readyz."""

import json
import sys
import urllib.error
import urllib.request
from email.message import Message
from typing import Any

import pytest
from django.test import Client

from tests.installation import Installation, wait_until
from tests.services import free_port


def ask(url: str) -> tuple[int, Any, Message]:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, json.load(answer), answer.headers
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused), refused.headers


def ready(address: str) -> dict[str, Any]:
    return dict(ask(f"{address}/readyz")[1])


def serve(installation: Installation) -> str:
    port = free_port()
    program = ["-m", "gunicorn", "segranks.wsgi", f"--bind=127.0.0.1:{port}", "--threads=2"]
    installation.start(sys.executable, *program).wait_for_line("Booting worker")
    return f"http://127.0.0.1:{port}"


def test_healthz_needs_no_database(client: Client) -> None:
    # Without the marker django_db, a query would fail.
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"alive": True})
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_it_refuses_post(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_it_answers_any_host_over_plain_http(client: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["rank.example.org"]
    assert client.get("/healthz", headers={"host": "10.0.0.5:8000"}).status_code == 200
    assert client.get("/sign-in/", headers={"host": "rank.example.org"}).status_code == 301


@pytest.mark.process
def test_manage_py_up_is_ready(installed: Installation) -> None:
    running = installed.up("--no-demo")
    wait_until(lambda: ready(running.address)["ready"])
    assert ask(f"{running.address}/readyz")[:2] == (
        200,
        {"ready": True, "database": "ok", "migrations": "ok", "broker": "ok", "worker": "ok"},
    )
    assert running.interrupt() == 0


@pytest.mark.process
def test_a_database_without_tables_is_not_ready(installation: Installation) -> None:
    address = serve(installation)
    status, answers, headers = ask(f"{address}/readyz")
    assert status == 503
    assert headers["Cache-Control"] == "no-store"
    assert (answers["ready"], answers["database"]) == (False, "ok")
    assert answers["worker"] != "ok"
    assert answers["migrations"].endswith(" not applied")
    assert ask(f"{address}/healthz")[0] == 200


@pytest.mark.process
def test_servers_that_do_not_answer_are_named(installation: Installation) -> None:
    installation.environment |= {
        "DATABASE_URL": "postgresql://postgres@127.0.0.1:1/none",
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    address = serve(installation)
    away = dict.fromkeys(("database", "migrations", "broker", "worker"), "does not answer")
    assert ask(f"{address}/readyz")[:2] == (503, {"ready": False} | away)

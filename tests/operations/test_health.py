"""/healthz and /readyz: for those who watch over SegRanks."""

import json
import sys
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.installation import Installation, Process, wait_until, write_texts
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


def start_worker(installation: Installation) -> Process:
    worker = installation.start(
        sys.executable, "-m", "celery", "-A", "segranks", "worker", "-c1", "--loglevel=INFO"
    )
    worker.wait_for_line(" ready.")
    return worker


def test_being_alive_needs_no_database(client: Client) -> None:
    # Without the mark of a test that may use one.
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"alive": True})
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_only_reading_is_answered(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_monitors_need_neither_a_name_nor_https(client: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["ranks.example.org"]
    assert client.get("/healthz", headers={"host": "10.0.0.5:8000"}).status_code == 200
    assert client.get("/sign-in/", headers={"host": "ranks.example.org"}).status_code == 301


def test_everything_in_one_process_is_ready(installed: Installation, tmp_path: Path) -> None:
    running = installed.up("--no-demo")
    wait_until(lambda: ready(running.address)["ready"])
    assert ask(f"{running.address}/readyz")[:2] == (
        200,
        {"ready": True, "database": "ok", "migrations": "ok", "broker": "ok", "worker": "ok"},
    )
    assert running.interrupt() == 0


def test_an_empty_database_is_not_ready(installation: Installation) -> None:
    address = serve(installation)
    status, answers, headers = ask(f"{address}/readyz")
    assert status == 503
    assert headers["Cache-Control"] == "no-store"
    assert (answers["ready"], answers["database"]) == (False, "ok")
    assert answers["worker"] != "ok"
    assert answers["migrations"].endswith(" not applied")
    assert ask(f"{address}/healthz")[0] == 200


@pytest.mark.postgresql
@pytest.mark.redis
def test_each_server_has_its_field(servers: Installation, tmp_path: Path) -> None:
    address = serve(servers)
    expected = {"ready": False, "database": "ok", "migrations": "ok", "broker": "ok"}
    wait_until(lambda: ready(address) == expected | {"worker": "none answers"})
    worker = start_worker(servers)
    wait_until(lambda: ready(address)["ready"])
    servers.manage("create_project", "A", *write_texts(tmp_path / "texts", 300), "--queue")
    # It is at work, and answers nevertheless.
    wait_until(lambda: ready(address)["worker"] == "ok")
    worker.kill()
    wait_until(lambda: ready(address)["worker"] == "none answers")


def test_servers_that_are_away_are_named(installation: Installation) -> None:
    installation.environment |= {
        "DATABASE_URL": "postgresql://postgres@127.0.0.1:1/none",
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    address = serve(installation)
    away = dict.fromkeys(("database", "migrations", "broker", "worker"), "does not answer")
    assert ask(f"{address}/readyz")[:2] == (503, {"ready": False} | away)

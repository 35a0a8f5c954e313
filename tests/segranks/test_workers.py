"""The same code with workers of their own: PostgreSQL, Redis, and `celery worker`."""

import signal
import sys
from pathlib import Path

import pytest

from tests.installation import Installation, Process, wait_until, write_texts

NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture
def servers(installation: Installation, postgresql_url: str, redis_url: str) -> Installation:
    installation.environment |= {"DATABASE_URL": postgresql_url, "CELERY_BROKER_URL": redis_url}
    installation.manage("migrate", "--verbosity", "0")
    return installation


def start_worker(installation: Installation) -> Process:
    worker = installation.start(
        sys.executable, "-m", "celery", "-A", "segranks", "worker", "--loglevel=INFO"
    )
    worker.wait_for_line(" ready.")
    return worker


def state_of(installation: Installation, name: str) -> str:
    state: str = installation.query(f"Project.objects.get(name={name!r}).state")
    return state


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_worker_prepares_what_was_queued(servers: Installation, tmp_path: Path) -> None:
    worker = start_worker(servers)
    servers.manage("create_project", "Queued", *write_texts(tmp_path / "texts", 5), "--queue")
    wait_until(lambda: state_of(servers, "Queued") == "open")
    assert worker.interrupt(signal.SIGTERM) == 0


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_worker_takes_up_at_its_start_what_it_was_never_told_of(
    servers: Installation, redis_url: str, tmp_path: Path
) -> None:
    servers.environment["CELERY_BROKER_URL"] = NOBODY
    queued = servers.manage(
        "create_project", "Queued", *write_texts(tmp_path / "texts", 5), "--queue"
    )
    assert "The broker does not answer" in queued.stderr
    servers.environment["CELERY_BROKER_URL"] = redis_url
    worker = start_worker(servers)
    wait_until(lambda: state_of(servers, "Queued") == "open")
    assert worker.interrupt(signal.SIGTERM) == 0

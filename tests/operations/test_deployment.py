"""Run the commands of docker-compose.yml with its variables, but without containers.

Only host names, ports and folders are replaced by those of this machine.
"""

import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from tests import services
from tests.conftest import require
from tests.installation import REPOSITORY, Installation, wait_until, write_texts
from tests.operations.deployment_files import (
    make_secrets,
    read_compose,
    read_dockerfile,
    read_environment,
)


class Deployment:
    """The services of docker-compose.yml as processes on this machine."""

    def __init__(self, folder: Path, static_root: Path, running: ExitStack) -> None:
        self._folder = folder
        make_secrets(folder / ".env")
        self.secrets = read_environment(folder / ".env")
        self.services: dict[str, Any] = read_compose(self.secrets)["services"]
        postgres, redis = self.services["postgres"]["environment"], self.services["redis"]
        server = running.enter_context(
            services.own_postgresql(postgres["POSTGRES_USER"], postgres["POSTGRES_PASSWORD"])
        )
        redis_port = running.enter_context(
            services.own_redis(redis["command"], redis["environment"]["REDISCLI_AUTH"])
        )
        self.database = f"{server}/{postgres['POSTGRES_DB']}"
        self.web_port = services.free_port()
        self._make_database(server, postgres["POSTGRES_DB"])
        self._here = {
            "postgres:5432": server.rpartition("@")[2],
            "redis:6379": f"127.0.0.1:{redis_port}",
            ":8000": f":{self.web_port}",
            "/srv/segranks/.static": str(static_root),
            "/srv/segranks": str(REPOSITORY),
            "/data": str(folder / "data"),
            "/tmp/s": f"{folder}/s",
        }
        self.installation = Installation(folder / "data", static_root)
        running.callback(self.installation.end)

    def _make_database(self, server: str, name: str) -> None:
        connection = psycopg2.connect(f"{server}/postgres")
        connection.autocommit = True
        connection.cursor().execute(f"CREATE DATABASE {name}")
        connection.close()

    def here(self, text: str) -> str:
        # In one pass, because a replacement may contain a key. The longest keys come first.
        there = re.compile("|".join(map(re.escape, self._here)))
        return there.sub(lambda found: self._here[found.group()], text)

    def environment(self, name: str) -> dict[str, str]:
        """Return the environment that a container of the service would have."""
        service = self.services[name]
        stages = read_dockerfile()
        stage = (
            stages["base"].environment
            | stages[service["image"].removeprefix("segranks-")].environment
        )
        merged = stage | {key: str(value) for key, value in service["environment"].items()}
        here = {key: self.here(value) for key, value in merged.items()}
        if merged["SEGRANKS_DATA"] == "/data":
            # Its volume, which no other service has.
            here["SEGRANKS_DATA"] = str(self._folder / f"data.{name}")
        return here

    def start(self, name: str, line: str) -> Any:
        self.installation.environment = self.environment(name)
        process = self.installation.start(*map(self.here, self.services[name]["command"]))
        process.wait_for_line(line)
        return process

    def run(self, name: str, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        self.installation.environment = self.environment(name)
        return self.installation.run(*map(self.here, command), check=check)

    def is_healthy(self, name: str) -> bool:
        """Run the health check of the service."""
        kind, *command = self.services[name]["healthcheck"]["test"]
        command = command if kind == "CMD" else ["/bin/sh", "-c", *command]
        return self.run(name, *command, check=False).returncode == 0

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.web_port}{path}")
        for header, value in headers.items():
            request.add_header(header, value)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def readiness(self) -> tuple[int, dict[str, Any]]:
        status, body = self.get("/readyz")
        return status, json.loads(body)


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    with ExitStack() as running:
        try:
            made = Deployment(tmp_path, tmp_path / "static", running)
        except services.Unavailable as problem:
            require(False, str(problem))
        yield made


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.postgresql
@pytest.mark.redis
def test_the_services_start_prepare_a_project_and_stop(
    deployment: Deployment, tmp_path: Path
) -> None:
    # The image does this when it is built.
    deployment.run("web", "python", "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    deployment.run("migrate", *deployment.services["migrate"]["command"])
    web = deployment.start("web", "Booting worker")
    wait_until(lambda: deployment.is_healthy("web"))
    # Retry: on a busy machine an answer may come too late.
    expected = {"ready": False, "database": "ok", "migrations": "ok", "broker": "ok"}
    expected["worker"] = "none answers"
    wait_until(lambda: deployment.readiness() == (503, expected))
    beat = deployment.start("beat", "beat: Starting...")
    wait_until(lambda: deployment.is_healthy("beat"))
    # Beat answers pings too, but is no worker.
    wait_until(lambda: deployment.readiness() == (503, expected))
    # The worker for webhooks prepares nothing.
    hooks = deployment.start("hooks", " ready.")
    wait_until(lambda: deployment.is_healthy("hooks"))
    wait_until(lambda: deployment.readiness() == (503, expected))
    worker = deployment.start("worker", " ready.")
    wait_until(lambda: deployment.readiness()[0] == 200)
    assert deployment.is_healthy("worker")

    texts = write_texts(tmp_path / "texts", 30)
    made = deployment.run("web", "python", "manage.py", "create_project", "News", *texts, "--queue")
    assert "News" in made.stdout
    deployment.installation.environment = deployment.environment("web")
    state = "Project.objects.get().state"
    wait_until(lambda: deployment.installation.query(state) == "open")

    assert deployment.get("/sign-in/", Host="localhost:8000")[0] == 200
    assert deployment.get("/sign-in/", Host="evil.example.org")[0] == 400

    assert beat.interrupt(signal.SIGTERM) == 0
    assert hooks.interrupt(signal.SIGTERM) == 0
    assert worker.interrupt(signal.SIGTERM) == 0
    assert not deployment.is_healthy("worker")
    assert web.interrupt(signal.SIGTERM) == 0
    for process in (web, worker, hooks, beat):
        assert "Traceback" not in process.output
    assert deployment.installation.query("Chunk.objects.count()") == 0
    written = {path.name for path in tmp_path.iterdir()} - {"texts", ".env", "static"}
    assert {name.partition(".")[0] for name in written} <= {"data", "segranks", "schedule"}


@pytest.mark.process
@pytest.mark.postgresql
@pytest.mark.redis
def test_postgresql_requires_its_password(deployment: Deployment) -> None:
    environment = deployment.environment("web")
    for variable, secret in (
        ("DATABASE_URL", "POSTGRES_PASSWORD"),
        ("CELERY_BROKER_URL", "REDIS_PASSWORD"),
    ):
        known = deployment.secrets[secret]
        assert known in environment[variable]
    wrong = deployment.database.replace(deployment.secrets["POSTGRES_PASSWORD"], "x" * 40)
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(wrong)


@pytest.mark.parametrize(("site", "proxies"), [("rank.example.org", "1"), ("localhost", "0")])
def test_a_public_site_is_behind_one_proxy(tmp_path: Path, site: str, proxies: str) -> None:
    make_secrets(tmp_path / "secrets", site)
    web = read_compose(read_environment(tmp_path / "secrets"))["services"]["web"]
    assert web["environment"]["PROXIES"] == proxies


@pytest.mark.process
def test_the_generated_settings_pass_check_deploy(tmp_path: Path, static_root: Path) -> None:
    make_secrets(tmp_path / ".env", "rank.example.org")
    service = read_compose(read_environment(tmp_path / ".env"))["services"]["web"]
    installation = Installation(tmp_path / "data", static_root)
    installation.environment |= {
        key: value
        for key, value in service["environment"].items()
        if key not in ("DATABASE_URL", "CELERY_BROKER_URL")
    }
    checked = installation.manage("check", "--deploy", "--fail-level", "WARNING")
    assert "no issues" in checked.stdout
    assert os.listdir(tmp_path / "data") == []

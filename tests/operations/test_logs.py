"""What logs tell: whose line it is, and nothing that lets somebody sign in."""

import json
import logging
import re
import signal
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from operations import logs
from tests.factories import make_annotator, make_project
from tests.installation import Installation, wait_until, write_texts
from tests.services import free_port

MADE_UP = re.compile(r"[0-9a-f]{16}")


class Kept(logging.Handler):
    """Keeps what it would write."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.setFormatter(logs.JSONFormatter())
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


def record(message: str, **extra: object) -> logging.LogRecord:
    return logging.getLogger("some").makeRecord(
        "some", logging.WARNING, "file", 1, message, (), None, extra=extra
    )


def json_lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


@pytest.mark.parametrize(
    "name", ["a", "7f9c0a4e-1b2c", "Root=1-67891233-abcdef", "x" * 65, "é", ""]
)
def test_a_sane_name_of_a_request_is_kept(client: Client, name: str) -> None:
    headers = {"x-request-id": name} if name else {}
    found = client.get("/healthz", headers=headers)["X-Request-ID"]
    sane = re.fullmatch(r"[a-zA-Z0-9._:-]{1,64}", name) and name.isascii()
    assert found == name if sane else MADE_UP.fullmatch(found)


def test_two_requests_have_two_names(client: Client) -> None:
    assert client.get("/healthz")["X-Request-ID"] != client.get("/healthz")["X-Request-ID"]


@pytest.mark.django_db
def test_every_line_of_a_request_has_its_name(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    written: list[str] = []
    handler = Kept(written)
    loggers = [logging.getLogger("django.request"), logging.getLogger("operations.requests")]
    client.force_login(make_annotator(make_project()))
    for logger in loggers:
        logger.addHandler(handler)
    try:
        with caplog.at_level("INFO", "operations"), caplog.at_level("INFO", "django.request"):
            client.get("/projects/999/judge/", headers={"x-request-id": "mine"})
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
    lines = [json.loads(line) for line in written]
    assert [line["logger"] for line in lines] == ["operations.requests", "django.request"]
    assert {line["request"] for line in lines} == {"mine"}
    first = lines[0]
    told = ("method", "route", "view", "status", "pk")
    assert [first[name] for name in told] == ["GET", "projects/<int:pk>/judge/", "judge", 404, 999]
    assert first["milliseconds"] > 0
    assert "mine" not in logs.JSONFormatter().format(record("after it"))


@pytest.mark.django_db
def test_a_link_to_sign_in_is_in_no_line(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "operations"):
        client.get("/sign-in/link/S3cretT0ken/?next=S3cretT0ken")
    (line,) = caplog.records
    assert "S3cretT0ken" not in logs.JSONFormatter().format(line)
    assert "sign-in-link" in line.getMessage()


def test_a_line_of_json_is_one_line_and_has_the_traceback() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        made = record("what\nhappened", fields={"status": 7})
        made.exc_info = sys.exc_info()
    text = logs.JSONFormatter().format(made)
    line = json.loads(text)
    assert "\n" not in text
    assert line["message"] == "what\nhappened"
    assert line["status"] == 7
    assert line["exception"].endswith("ValueError: two\nlines")
    assert line["level"] == "WARNING"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])


def test_a_line_for_people_tells_what_it_belongs_to() -> None:
    assert logs.PlainFormatter().format(record("hello")).endswith("WARNING some: hello")
    token = logs.enter(task="t", job=7)
    try:
        assert logs.PlainFormatter().format(record("hello")).endswith(" hello [task=t job=7]")
    finally:
        logs.leave(token)


def test_the_web_writes_json_only(installed: Installation) -> None:
    installed.environment |= {"SEGRANKS_LOG": "json", "LOG_LEVEL": "INFO"}
    port = free_port()
    web = installed.start(
        *(sys.executable, "-m", "gunicorn", "--config", "python:segranks.gunicorn"),
        *(f"--bind=127.0.0.1:{port}", "segranks.wsgi"),
    )
    web.wait_for_line("Booting worker")
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/i18n/setlang/", headers={"X-Request-ID": "abc-1"})
    assert connection.getresponse().headers["X-Request-ID"] == "abc-1"
    connection.close()
    web.wait_for_line("set_language")
    assert web.interrupt(signal.SIGTERM) == 0
    lines = json_lines(web.output)
    assert len(lines) == len(web.output.splitlines()), web.output
    (line,) = [each for each in lines if each.get("request") == "abc-1"]
    assert (line["view"], line["logger"]) == ("set_language", "operations.requests")


@pytest.mark.postgresql
@pytest.mark.redis
def test_what_a_worker_logs_of_a_job_has_its_number(servers: Installation, tmp_path: Path) -> None:
    servers.environment["SEGRANKS_LOG"] = "json"
    worker = servers.start(
        sys.executable, "-m", "celery", "-A", "segranks", "worker", "-c1", "--loglevel=INFO"
    )
    worker.wait_for_line(" ready.")
    # It cannot be prepared: there is no such model.
    options = [*write_texts(tmp_path / "texts", 5)[:-1], "--parser=stanza"]
    servers.environment["STANZA_RESOURCES_DIR"] = str(tmp_path)
    made = servers.manage("create_project", "A", *options, "--queue", check=False)
    if made.returncode:
        pytest.skip("Without stanza there is nothing here that fails so late.")
    wait_until(lambda: servers.query("Job.objects.get().state") == "failed")
    number = servers.query("Job.objects.get().pk")
    worker.wait_for_line("failed:")
    assert worker.interrupt(signal.SIGTERM) == 0
    lines = json_lines(worker.output)
    (line,) = [each for each in lines if each["logger"] == "annotation.pipeline.jobs"]
    assert line["job"] == number
    assert line["task"]


def test_the_name_of_a_request_goes_with_what_workers_are_told(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    headers: dict[str, Any] = {}
    token = logs.enter(request="mine")
    try:
        logs._send_along(headers=headers)
    finally:
        logs.leave(token)
    assert headers == {logs.HEADER: "mine"}
    logs._send_along(headers=headers)
    assert headers == {logs.HEADER: "mine"}

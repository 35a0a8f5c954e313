"""Log lines: their context, their format, and that they contain no sign-in tokens."""

import json
import logging
import re
import signal
import sys
from http.client import HTTPConnection
from typing import Any

import pytest
from celery import signals
from django.test import Client

from annotation.tasks import run_chunk
from operations import logs
from tests.factories import make_annotator, make_project
from tests.installation import Installation
from tests.services import free_port

GENERATED = re.compile(r"[0-9a-f]{16}")


class ListHandler(logging.Handler):
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
def test_it_keeps_a_valid_request_id(client: Client, name: str) -> None:
    headers = {"x-request-id": name} if name else {}
    found = client.get("/healthz", headers=headers)["X-Request-ID"]
    sane = re.fullmatch(r"[a-zA-Z0-9._:-]{1,64}", name) and name.isascii()
    assert found == name if sane else GENERATED.fullmatch(found)


def test_two_requests_have_different_ids(client: Client) -> None:
    assert client.get("/healthz")["X-Request-ID"] != client.get("/healthz")["X-Request-ID"]


@pytest.mark.django_db
def test_all_log_lines_of_a_request_have_its_id(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    written: list[str] = []
    handler = ListHandler(written)
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
    expected = ("method", "route", "view", "status", "pk")
    assert [first[name] for name in expected] == [
        "GET",
        "projects/<int:pk>/judge/",
        "judge",
        404,
        999,
    ]
    assert first["milliseconds"] > 0
    assert "mine" not in logs.JSONFormatter().format(record("after it"))


@pytest.mark.django_db
def test_it_does_not_log_sign_in_tokens(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "operations"):
        client.get("/sign-in/link/S3cretT0ken/?next=S3cretT0ken")
    (line,) = caplog.records
    assert "S3cretT0ken" not in logs.JSONFormatter().format(line)
    assert "sign-in-link" in line.getMessage()


def test_a_json_record_is_one_line_with_its_traceback() -> None:
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


@pytest.mark.process
def test_gunicorn_logs_only_json(installed: Installation) -> None:
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


@pytest.mark.django_db
def test_log_lines_of_a_task_have_its_id_and_its_job() -> None:
    lines: list[str] = []

    def note(**_signal: Any) -> None:
        lines.append(logs.PlainFormatter().format(record("hello")))

    signals.task_prerun.connect(note)
    try:
        run_chunk.apply(args=(0,), task_id="t")
    finally:
        signals.task_prerun.disconnect(note)
    assert lines[0].endswith(" hello [task=t job=0]")
    assert logs.PlainFormatter().format(record("hello")).endswith(" hello")


def test_messages_to_workers_carry_the_id_of_the_request() -> None:
    headers: dict[str, Any] = {}
    token = logs.enter(request="mine")
    try:
        signals.before_task_publish.send(sender="any", headers=headers)
    finally:
        logs.leave(token)
    assert headers == {logs.HEADER: "mine"}

"""Log lines: their context, their format, and that they contain no sign-in tokens."""

import json
import logging
import re
import signal
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.client import HTTPConnection
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from celery import signals
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.db import ProgrammingError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotation.models import Job, StoredPreview, Upload, User
from annotation.models.secret_links import hash_token
from annotation.pipeline import jobs
from annotation.process import log_context
from annotation.tasks import enqueue_pending, run_chunk
from annotation.uploads import preview_queue
from evaluation.findings.options import ReportOptions
from evaluation.services.shared_links import share
from operations import logs
from people import registration
from people.invitations import invite
from people.models import NewAddress
from people.sign_in_links import sign_in_path
from tests.crowd.coming import PID, make_link
from tests.crowd.coming import path_of as start_path
from tests.factories import make_annotator, make_project
from tests.installation import Installation
from tests.security.addresses import addresses
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
            client.get("/projects/999999/judge/", headers={"x-request-id": "mine"})
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
        999999,
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


# --- secret links ------------------------------------------------------------------------------


@pytest.fixture
def console() -> Iterator[StringIO]:
    """What the handler of the root logger writes, as LOGGING configures it."""
    handlers = [
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, logging.StreamHandler)
        and isinstance(handler.formatter, logs.PlainFormatter | logs.JSONFormatter)
    ]
    (handler,) = handlers
    written = StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def secret_link(kind: str, settings: Any) -> tuple[str, str, User]:
    """Return the path of a usable link, its secret, and a user who may open it."""
    project = make_project()
    boss = make_annotator(project, "boss", "owner")
    if kind == "sign-in-link":
        path = sign_in_path(boss)
    elif kind == "invitation":
        path = urlsplit(invite(project=project, by=boss, role="annotator")).path
    elif kind == "reset-password":
        uid = urlsafe_base64_encode(force_bytes(boss.pk))
        path = reverse(kind, args=[uid, default_token_generator.make_token(boss)])
    elif kind == "confirm-registration":
        settings.SELF_REGISTRATION, settings.REGISTRATION_DOMAINS = True, ["example.org"]
        path = reverse(kind, args=[signing.dumps("eva@example.org", salt=registration.SALT)])
    elif kind == "confirm-address":
        token = "tVq3nE-8fXk_2mPz7LcYd4RwSb9Hj6Ga1Uo5Ti0Qx_e"
        NewAddress.objects.create(
            user=boss, email="b@c.org", token_hash=hash_token(token), expires=in_an_hour()
        )
        path = reverse(kind, args=[token])
    elif kind == "shared-report":
        _link, token = share(project=project, by=boss, options=ReportOptions(), days=30)
        path = reverse(kind, args=[token])
    elif kind == "start":
        path = start_path(make_link(project))
        return path, path.split("/")[2], boss
    else:
        upload = Upload.objects.create(owner=boss)
        path = reverse(kind, args=[upload.token])
    return path, path.strip("/").rsplit("/", 1)[-1], boss


def in_an_hour() -> datetime:
    return timezone.now() + timedelta(hours=1)


KINDS = (
    "sign-in-link",
    "invitation",
    "reset-password",
    "confirm-registration",
    "confirm-address",
    "start",
    "new-project-files",
    "shared-report",
)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_link_is_not_logged_when_it_is_refused(
    settings: Any, console: StringIO, kind: str
) -> None:
    path, secret, user = secret_link(kind, settings)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.post(path).status_code == 403
    assert secret not in console.getvalue()
    assert "Forbidden (CSRF cookie not set.): /" in console.getvalue()
    assert "token>/" in console.getvalue()
    # The referrer of a form is the page with the link.
    console.truncate(0)
    referrer = {"referer": f"https://other.example.org{path}"}
    client.cookies["csrftoken"] = "a" * 32
    assert client.post(path, secure=True, headers=referrer).status_code == 403
    assert "other.example.org/" in console.getvalue()
    assert secret not in console.getvalue()
    assert PID not in console.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_link_is_not_logged_when_its_page_fails(
    settings: Any, console: StringIO, kind: str
) -> None:
    path, secret, user = secret_link(kind, settings)
    client = Client(raise_request_exception=False)
    client.force_login(user)

    def fail(*_call: Any) -> None:
        raise ProgrammingError(f"{path} while serving <WSGIRequest: GET {path!r}>")

    with connection.execute_wrapper(fail):
        assert client.get(path).status_code == 500
    assert "Traceback" in console.getvalue()
    assert "ProgrammingError: /" in console.getvalue()
    assert secret not in console.getvalue()
    assert PID not in console.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "Exception while serving /sign-in/link/S3cretT0ken/",
        "Error handling request GET /invitations/S3cretT0ken",
        "Error handling request GET /shared/S3cretT0ken/figures/win-rates.pdf",
        '"GET /sign-in/?next=/account/address/S3cretT0ken/ HTTP/1.1" 200 1234',
        '"GET /sign-in/?next=%2Fsign-in%2flink%2FS3cretT0ken%2F HTTP/1.1" 200 1234',
        "<WSGIRequest: GET '/start/S3cretT0ken/?PROLIFIC_PID=S3cretT0ken'>",
    ],
)
@pytest.mark.parametrize("name", ["waitress", "django.server", "any.other"])
def test_a_secret_link_is_not_logged_without_its_request(
    console: StringIO, name: str, line: str
) -> None:
    logger = logging.getLogger(name)
    logger.error(line)
    logger.error("%s", line)
    try:
        raise RuntimeError(line)
    except RuntimeError:
        logger.exception("It failed.")
    assert console.getvalue().count("/…") + console.getvalue().lower().count("%2f…") == 3
    assert "S3cretT0ken" not in console.getvalue()


def test_a_message_that_does_not_fit_its_arguments_harms_only_the_log(
    console: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", False)
    logging.getLogger("any").error("%d", "text")
    logging.getLogger("any").error("%d is right", 1)
    assert "1 is right" in console.getvalue()


def test_every_route_with_a_token_is_secret() -> None:
    routes = {address.route for address in addresses() if "token" in address.parameters}
    assert {re.split("/<", route)[0] for route in routes} == set(logs.SECRET_PATHS)


@pytest.mark.process
@pytest.mark.parametrize("form", ["plain", "json"])
def test_celery_writes_to_the_same_handler(installation: Installation, form: str) -> None:
    installation.environment["SEGRANKS_LOG"] = form
    code = """
import logging
from segranks.celery import app
app.log.setup_logging_subsystem(loglevel="INFO")
print([type(each).__name__ for one in logging.getLogger().handlers for each in one.filters])
"""
    assert installation.execute(code) == "['RouteFilter']\n"


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
    token = log_context.enter(request="mine")
    try:
        signals.before_task_publish.send(sender="any", headers=headers)
    finally:
        log_context.leave(token)
    assert headers == {log_context.HEADER: "mine"}


@pytest.mark.django_db
def test_what_beat_sends_again_carries_the_id_of_the_request(
    django_capture_on_commit_callbacks: Any,
) -> None:
    token = log_context.enter(request="mine")
    try:
        job = Job.objects.create(project=make_project())
    finally:
        log_context.leave(token)
    upload = Upload.objects.create(owner=make_annotator(job.project))
    StoredPreview.objects.create(upload=upload, owner=upload.owner, request_id="other")
    sent: list[tuple[str, str]] = []

    def note(headers: dict[str, Any], **_signal: Any) -> None:
        sent.append((headers["task"], headers[log_context.HEADER]))

    signals.before_task_publish.connect(note)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            enqueue_pending.apply()
    finally:
        signals.before_task_publish.disconnect(note)
    assert sent == [(jobs.TASK, "mine"), (preview_queue.TASK, "other")]

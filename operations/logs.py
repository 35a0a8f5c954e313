"""Log lines that name the request or task they belong to, as plain text or as JSON.

This module is imported before the settings and models are ready.
"""

import json
import logging
import logging.config
import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from typing import Any

from celery import Task, signals
from django.core.signals import request_finished
from django.http import HttpRequest

from annotation.process import log_context

# A request id that a proxy may give.
VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")

# What precedes a token in the paths of links that sign in, invite, remind, reset, confirm or share.
SECRET_PATHS = (
    "sign-in/link",
    "account/address",
    "password/reset",
    "register",
    "invitations",
    "reminders",
    "shared",
    "start",
    "projects/new",
)
# In the query of another URL, slashes may be encoded. The token, and what follows it, ends at a
# space, a quotation mark, an angle bracket or a backslash.
_SLASH = "(?:/|%2F)"
_BEFORE_TOKEN = "|".join(path.replace("/", _SLASH) for path in SECRET_PATHS)
_SECRET = re.compile(
    rf"({_SLASH}(?:{_BEFORE_TOKEN}){_SLASH})[^\s'\"<>\\]+",
    re.IGNORECASE,
)

_before_task: ContextVar[Token[Mapping[str, object]] | None] = ContextVar("before", default=None)


def request_id(given: str) -> str:
    """Return the id that a proxy gave the request if it is valid, else a new one."""
    return given if VALID_REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


class RouteFilter(logging.Filter):
    """Replaces paths by their routes in messages and tracebacks, because a path may be a secret.

    The record's request says the route. Servers and libraries log paths without a request; there,
    what follows one of SECRET_PATHS is left out.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            # The handler reports a message that does not fit its arguments.
            return True
        request = getattr(record, "request", None)
        record.msg, record.args = _without_path(message, request), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = _without_path(record.exc_text, request)
        return True


def _without_path(text: str, request: object) -> str:
    # `runserver` gives the record a socket for a request.
    if isinstance(request, HttpRequest) and request.resolver_match:
        route = f"/{request.resolver_match.route}"
        text = text.replace(request.get_full_path(), route).replace(request.path, route)
    return _SECRET.sub(r"\1…", text)


class PlainFormatter(logging.Formatter):
    """A line of text with the context at its end."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        context = " ".join(f"{name}={value}" for name, value in log_context.fields().items())
        return super().formatMessage(record) + (f" [{context}]" if context else "")


class JSONFormatter(logging.Formatter):
    """A JSON object on one line: time, level, logger, message, context, and `fields`.

    `fields` come from `extra={"fields": {…}}`; `exception` is a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **log_context.fields(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = record.exc_text or self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def connect_signals() -> None:
    """Set the context of Celery tasks, and clear that of a request when it is finished."""
    request_finished.connect(_clear_context)
    signals.before_task_publish.connect(_add_request_header)
    signals.task_prerun.connect(_enter_task)
    signals.task_postrun.connect(_leave_task)


def configure_celery_logging() -> None:
    """Let the program `celery` use LOGGING instead of its own format."""
    signals.setup_logging.connect(_configure)


def _clear_context(**_signal: Any) -> None:
    log_context.clear()


def _add_request_header(headers: dict[str, Any], **_signal: Any) -> None:
    """Name the request of this thread, unless the sender names that of a stored row."""
    if request := log_context.current_request():
        headers.setdefault(log_context.HEADER, request)


def _enter_task(task: "Task[Any, Any]", args: tuple[Any, ...], **_signal: Any) -> None:
    from annotation.pipeline.jobs import TASK

    context: dict[str, object] = {"task": task.request.id}
    if task.name == TASK:
        context["job"] = args[0]
    if request := task.request.get(log_context.HEADER):
        context["request"] = request
    _before_task.set(log_context.enter(**context))


def _leave_task(**_signal: Any) -> None:
    token = _before_task.get()
    if token is not None:
        log_context.leave(token)
        _before_task.set(None)


def _configure(loglevel: int, **_signal: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
    logging.getLogger().setLevel(loglevel)

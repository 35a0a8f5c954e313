"""Lines of logs that tell which request or which task they belong to, for people or as JSON.

This module is loaded before there are settings and models.
"""

import json
import logging
import logging.config
import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from celery import Task, signals
from django.core.signals import request_finished

# As a proxy in front of us may name a request.
SANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
# How a request goes with what is told the workers because of it.
HEADER = "segranks_request"

NOTHING: Mapping[str, object] = MappingProxyType({})
# What is at work: {"request": "…"} or {"task": "…", "job": 7}.
_context: ContextVar[Mapping[str, object]] = ContextVar("context", default=NOTHING)
_before_task: ContextVar[Token[Mapping[str, object]] | None] = ContextVar("before", default=None)


def enter(**context: object) -> Token[Mapping[str, object]]:
    """Let the lines of this thread tell what they belong to, until `leave`."""
    return _context.set(context)


def leave(token: Token[Mapping[str, object]]) -> None:
    _context.reset(token)


def name_request(given: str) -> str:
    """Return the name that a proxy has given the request, if it is sane, else a new one."""
    return given if SANE.fullmatch(given) else secrets.token_hex(8)


class PlainFormatter(logging.Formatter):
    """A line for people, with what it belongs to behind it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        belongs = " ".join(f"{name}={value}" for name, value in _context.get().items())
        return super().formatMessage(record) + (f" [{belongs}]" if belongs else "")


class JSONFormatter(logging.Formatter):
    """A JSON object in one line: time, level, logger, message, what it belongs to, and `fields`.

    `fields` is what was logged with `extra={"fields": {…}}`; `exception` is a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **_context.get(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def follow() -> None:
    """Let lines of Celery's tasks tell the task, its job, and the request behind it.

    And let those of a request end with it.
    """
    request_finished.connect(_leave_request)
    signals.before_task_publish.connect(_send_along)
    signals.task_prerun.connect(_enter_task)
    signals.task_postrun.connect(_leave_task)


def take_over_workers_logs() -> None:
    """Let the program `celery` write as settings say, instead of in its own way."""
    signals.setup_logging.connect(_set_up)


def _leave_request(**_signal: Any) -> None:
    _context.set(NOTHING)


def _send_along(headers: dict[str, Any], **_signal: Any) -> None:
    if request := _context.get().get("request"):
        headers[HEADER] = request


def _enter_task(task: "Task[Any, Any]", args: tuple[Any, ...], **_signal: Any) -> None:
    from annotation.pipeline.jobs import TASK

    context: dict[str, object] = {"task": task.request.id}
    if task.name == TASK:
        context["job"] = args[0]
    if request := task.request.get(HEADER):
        context["request"] = request
    _before_task.set(enter(**context))


def _leave_task(**_signal: Any) -> None:
    token = _before_task.get()
    if token is not None:
        leave(token)
        _before_task.set(None)


def _set_up(loglevel: int, **_signal: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
    logging.getLogger().setLevel(loglevel)

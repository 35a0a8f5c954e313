"""What the log lines of a thread belong to: a request, or a task and the request that began it.

This module is imported before the settings and models are ready.
"""

from collections.abc import Mapping
from contextvars import ContextVar, Token
from types import MappingProxyType

# The header of a Celery message that carries the id of the request that began the work.
HEADER = "segranks_request"

NOTHING: Mapping[str, object] = MappingProxyType({})
# {"request": "…"} or {"task": "…", "job": 7, "request": "…"}.
_context: ContextVar[Mapping[str, object]] = ContextVar("context", default=NOTHING)


def enter(**context: object) -> Token[Mapping[str, object]]:
    """Add these fields to all log lines of this thread, until `leave`."""
    return _context.set(context)


def leave(token: Token[Mapping[str, object]]) -> None:
    _context.reset(token)


def clear() -> None:
    _context.set(NOTHING)


def fields() -> Mapping[str, object]:
    """Return the fields that log lines have now."""
    return _context.get()


def current_request() -> str:
    """Return the id of the request that this thread works for; "" if there is none."""
    return str(fields().get("request", ""))

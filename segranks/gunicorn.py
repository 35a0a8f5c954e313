"""Configuration of gunicorn: `gunicorn --config python:segranks.gunicorn segranks.wsgi`."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from segranks import env

# The processes collect their metrics there; settings and prometheus_client read the variable.
_metrics = tempfile.mkdtemp(prefix="segranks-metrics-")
env.provide("PROMETHEUS_MULTIPROC_DIR", _metrics)

try:
    from segranks.settings import LOGGING
except ImproperlyConfigured as problem:
    shutil.rmtree(_metrics)
    sys.exit(f"Error: {problem}")

workers = env.number("WEB_CONCURRENCY", 1)
worker_class = "gthread"
threads = env.number("WEB_THREADS", 4)
# Seconds without a heartbeat of a process; a request may take longer.
timeout = 60
# Seconds that requests may take after SIGTERM.
graceful_timeout = 30
# Heartbeats are written there, because a busy disk would delay them.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# Signals are enough to control it.
control_socket_disable = True


def child_exit(server: Any, worker: Any) -> None:
    from prometheus_client.multiprocess import mark_process_dead

    # What it had in progress no longer is.
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    shutil.rmtree(_metrics, ignore_errors=True)


_to_console = {"level": "INFO", "handlers": ["console"], "propagate": False}
# `operations.middleware` logs requests, without the tokens in some URLs.
_nowhere = {"level": "CRITICAL", "handlers": [], "propagate": False}
logconfig_dict = LOGGING | {
    "loggers": LOGGING["loggers"] | {"gunicorn.error": _to_console, "gunicorn.access": _nowhere}
}

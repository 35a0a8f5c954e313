"""How gunicorn serves the web: `gunicorn --config python:segranks.gunicorn segranks.wsgi`."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from segranks import env

# There the processes add up what they counted; named before anything reads where that is.
_figures = tempfile.mkdtemp(prefix="segranks-metrics-")
env.provide("PROMETHEUS_MULTIPROC_DIR", _figures)

try:
    from segranks.settings import LOGGING, SEGRANKS_LOG
except ImproperlyConfigured as problem:
    shutil.rmtree(_figures)
    sys.exit(f"Error: {problem}")

workers = env.number("WEB_CONCURRENCY", 1)
worker_class = "gthread"
threads = env.number("WEB_THREADS", 4)
# Seconds without a sign of life from a process; a thread may take longer over a large upload.
timeout = 60
# Seconds that requests may go on once the server is to stop.
graceful_timeout = 30
# Signs of life are written there: on a disk they would wait for others' files.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# Nobody is to tell a running server what to do but by signals.
control_socket_disable = True


def on_exit(server: Any) -> None:
    shutil.rmtree(_figures, ignore_errors=True)


if SEGRANKS_LOG == "JSON":
    _to_console = {"level": "INFO", "handlers": ["console"], "propagate": False}
    # Requests are logged by SegRanks itself, without the tokens that some addresses hold.
    _nowhere = {"level": "CRITICAL", "handlers": [], "propagate": False}
    logconfig_dict = LOGGING | {
        "loggers": LOGGING["loggers"] | {"gunicorn.error": _to_console, "gunicorn.access": _nowhere}
    }

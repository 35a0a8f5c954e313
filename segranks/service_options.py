"""Options of database, broker, shared cache and files, each on a server or its replacement."""

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from segranks.checks import SQLITE

# Without them, a thread waits for minutes for a machine that is off or out of reach: when it
# connects (seconds), when it has sent something (milliseconds), and when it waits for an answer
# (seconds).
POSTGRESQL_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    "tcp_user_timeout": 30_000,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}

# The same for Redis, in seconds and by the names of Linux, which other systems lack in part.
KEEPALIVE: Final = {
    getattr(socket, name): seconds
    for name, seconds in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}


def is_in_memory(broker: str) -> bool:
    """Return True if there is no broker, so that everything runs in one process."""
    return broker.startswith("memory:")


def database(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Return Django's settings for the parsed URL of the database, with options for its kind."""
    if parsed["ENGINE"] == SQLITE:
        return {
            **parsed,
            # With WAL, readers never wait for the writer. A writer locks when it begins, so that no
            # transaction fails half-way with "database is locked". FULL writes each transaction to
            # the disk before it is acknowledged: with NORMAL, a power failure loses the last ones.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    return {**parsed, "OPTIONS": POSTGRESQL_OPTIONS | parsed.get("OPTIONS", {})}


def file_storage(database: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    """Return Django's settings for the storage of files: the database, or MEDIA_ROOT.

    The machines of a site with PostgreSQL need no folder in common, unless `folder` is one.
    """
    if database["ENGINE"] != SQLITE and folder is None:
        return {"BACKEND": "annotation.models.stored_files.DatabaseStorage"}
    return {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "allow_overwrite": True,
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    }


def broker_options(broker: str) -> dict[str, Any]:
    """Return Celery's options for the connection to the broker."""
    if is_in_memory(broker):
        # The default of a second makes twenty small tasks take eleven.
        return {"polling_interval": 0.05}
    return {
        # Seconds after which Redis delivers a task again. Longer than any task takes, or several
        # workers would do it at once.
        "visibility_timeout": 3600,
        # Seconds between checks for that, instead of a hundred.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "socket_keepalive_options": KEEPALIVE,
    }


def shared_cache(broker: str, name: str) -> dict[str, Any]:
    """Return Django's settings for a cache that all processes share, in the broker's Redis.

    Its values must be JSON. Without Redis everything runs in one process, `manage.py up`.
    """
    if is_in_memory(broker):
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": 10_000},
        }
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": broker,
        "KEY_PREFIX": "segranks",
        # Seconds. What the cache holds is not worth a long wait.
        "OPTIONS": {
            "serializer": "segranks.service_options.JSONSerializer",
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
        },
    }


class JSONSerializer:
    """Stores values of the shared cache as JSON, so that nothing from Redis is ever unpickled."""

    def dumps(self, value: object) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)

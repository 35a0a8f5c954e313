"""Options of the database, the broker and the shared cache, each a server or its replacement."""

import json
from collections.abc import Mapping
from typing import Any

from segranks.checks import SQLITE


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
    # Seconds; without it, a machine that is off is waited for for minutes.
    return {**parsed, "OPTIONS": {"connect_timeout": 5} | parsed.get("OPTIONS", {})}


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

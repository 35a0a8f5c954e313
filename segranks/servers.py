"""How the database, the broker and the cache are spoken to: servers, or what takes their place."""

from collections.abc import Mapping
from typing import Any

from segranks.checks import SQLITE


def is_in_memory(broker: str) -> bool:
    """Return whether the broker is no server: then everything runs in one process."""
    return broker.startswith("memory:")


def database(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Return Django's settings for the database whose URL says this, with options for its kind."""
    if parsed["ENGINE"] == SQLITE:
        return {
            **parsed,
            # Readers never wait for the writer, and a writer takes its lock when it begins, so that
            # no transaction fails half-way with "database is locked".
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    # Seconds; by itself it waits for minutes for a machine that is off.
    return {**parsed, "OPTIONS": {"connect_timeout": 5} | parsed.get("OPTIONS", {})}


def broker_options(broker: str) -> dict[str, Any]:
    """Return Celery's options for the way to the broker."""
    if is_in_memory(broker):
        # The default of a second makes twenty small tasks take eleven.
        return {"polling_interval": 0.05}
    return {
        # Seconds after which Redis gives a task to another as well: longer than any task takes, or
        # it would be done by many at once.
        "visibility_timeout": 3600,
        # How often it is looked whether that time is over, instead of every hundred seconds.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
    }


def shared_cache(broker: str, name: str) -> dict[str, Any]:
    """Return Django's settings for a cache that all processes share, in the broker's Redis.

    It holds what JSON can say. Without Redis everything runs in one process, `manage.py up`.
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
        # Seconds; nobody waits long for what can be done without.
        "OPTIONS": {
            "serializer": "segranks.caching.JSONSerializer",
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
        },
    }

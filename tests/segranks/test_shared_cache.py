"""The cache that all processes share through Redis."""

import json
import pickle
from typing import Any

import pytest
from django.core.cache import caches
from django.utils.module_loading import import_string
from redis import Redis

from segranks.service_options import shared_cache


def test_it_unpickles_nothing() -> None:
    """A pickle runs code when it is read, so a program that writes into Redis could run any."""
    serializer = import_string(
        shared_cache("redis://127.0.0.1:1/0", "x")["OPTIONS"]["serializer"]
    )()
    assert serializer.loads(serializer.dumps([1.5, "é", None])) == [1.5, "é", None]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises((json.JSONDecodeError, UnicodeDecodeError)):
            serializer.loads(pickle.dumps([1], protocol))


@pytest.mark.redis
def test_it_stores_json(redis_url: str, settings: Any) -> None:
    settings.CACHES = settings.CACHES | {"shared": shared_cache(redis_url, "shared")}
    caches["shared"].set("key", [1.5, "é"])
    (name,) = Redis.from_url(redis_url).scan_iter("segranks:*key")
    assert json.loads(Redis.from_url(redis_url).get(name)) == [1.5, "é"]  # type: ignore[arg-type]
    assert caches["shared"].get("key") == [1.5, "é"]

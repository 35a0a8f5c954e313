"""The cache of a process: Django's interface, and a limit of bytes."""

from typing import Any

import pytest
from django.core.cache import cache as default_cache

from segranks.memory_cache import MemoryCache


def make_cache(most: int = 10_000, **params: Any) -> MemoryCache:
    return MemoryCache("", {"OPTIONS": {"MAX_BYTES": most}, **params})


def test_the_default_cache_is_limited() -> None:
    for number in range(100):
        default_cache.set(f"value-{number}", "x" * 1_000_000)
    kept = [number for number in range(100) if default_cache.get(f"value-{number}")]
    assert kept == list(range(100 - len(kept), 100))
    assert 1 < len(kept) < 65


def test_the_values_that_were_not_used_for_longest_are_dropped() -> None:
    cache = make_cache()
    for name in "abcd":
        cache.set(name, "x" * 2_000)
    assert cache.get("a")
    cache.set("e", "x" * 2_300)
    assert [name for name in "abcde" if name in cache] == ["a", "c", "d", "e"]


def test_a_value_that_would_drive_out_the_others_is_not_cached() -> None:
    cache = make_cache()
    cache.set("a", "small")
    cache.set("b", "x" * 5_000)
    assert not cache.add("c", "x" * 5_000)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == ("small", None, None)
    assert cache.get_or_set("b", "x" * 5_000) == "x" * 5_000
    cache.set("a", "x" * 5_000)
    assert cache.get("a") is None


def test_it_is_a_cache_of_django() -> None:
    cache = make_cache(TIMEOUT=300)
    value = {"a": [1]}
    cache.set("key", value)
    value["a"].append(2)
    found = cache.get("key")
    assert found == {"a": [1]}
    found["a"].append(3)
    assert cache.get("key") == {"a": [1]}
    assert not cache.add("key", 2)
    assert cache.add("other", 1, None)
    assert cache.incr("other") == 2
    assert cache.touch("other", 60)
    assert cache.get_many(["key", "other", "none"]) == {"key": {"a": [1]}, "other": 2}
    assert cache.delete("key")
    assert not cache.delete("key")
    assert not cache.touch("key")
    cache.set("gone", 1, 0)
    assert cache.get("gone", "default") == "default"
    cache.clear()
    assert cache.get("other") is None


@pytest.mark.parametrize("size", [10, 100])
def test_replaced_and_removed_values_take_no_room(size: int) -> None:
    cache = make_cache(1_000)
    for _time in range(100):
        cache.set("a", "x" * size)
        cache.set("b", "x" * size)
        cache.delete("b")
    cache.set("c", "x" * 200)
    assert "a" in cache
    assert "c" in cache

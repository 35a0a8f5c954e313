"""Cached values that belong to a project. The cache is that of the process, not a shared one."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from django.core.cache import cache

# Seconds for which counts of a large project may be out of date.
CACHE_SECONDS: Final = 60
# Sentences. Counting a smaller project is quick, so its counts are never cached.
LARGE_PROJECT: Final = 100

Value = TypeVar("Value")


def project_key(what: str, project: Any) -> str:
    """Return the cache key for this value of the project."""
    # The time of creation, because a later project can get the id of a deleted one.
    return f"{what}:{project.pk}:{project.created.timestamp()}"


def counts_version(project: Any) -> float:
    """Return a part for keys of what is counted: it changes when what counts is changed."""
    return project.counts_changed.timestamp() if project.counts_changed else 0.0


def cached_if_large(
    what: str,
    project: Any,
    compute: Callable[[], Value],
    *,
    sentences: int,
    large: int = LARGE_PROJECT,
    seconds: int = CACHE_SECONDS,
) -> Value:
    """Return the value of a project with so many sentences, from the cache if it is large."""
    if sentences < large:
        return compute()
    return cast(Value, cache.get_or_set(project_key(what, project), compute, seconds))

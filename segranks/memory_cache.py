"""A cache in the memory of a process whose size in bytes is limited, not only its entries."""

import pickle
import threading
import time
from collections import OrderedDict
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

# A value larger than this part of the cache is not cached: it would drive out all others.
LARGEST_SHARE: Final = 4


class MemoryCache(BaseCache):
    """Keeps the values that were used last, up to OPTIONS["MAX_BYTES"] of pickled values.

    Values are copied, so that a caller can change what it gets.
    """

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._most = int(params["OPTIONS"]["MAX_BYTES"])
        self._lock = threading.Lock()
        # Pickled values with their time of expiry (None = never), the least recently used first.
        self._entries: OrderedDict[str, tuple[bytes, float | None]] = OrderedDict()
        self._bytes = 0

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        key = self.make_and_validate_key(key, version)
        pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            return self._find(key) is None and self._store(key, pickled, timeout)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        key = self.make_and_validate_key(key, version)
        with self._lock:
            pickled = self._find(key)
        return default if pickled is None else pickle.loads(pickled)  # noqa: S301 (our own)

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        key = self.make_and_validate_key(key, version)
        pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._store(key, pickled, timeout)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        key = self.make_and_validate_key(key, version)
        with self._lock:
            pickled = self._find(key)
            return pickled is not None and self._store(key, pickled, timeout)

    def delete(self, key: Any, version: int | None = None) -> bool:
        key = self.make_and_validate_key(key, version)
        with self._lock:
            return self._remove(key)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def _find(self, key: str) -> bytes | None:
        found = self._entries.get(key)
        if found is None:
            return None
        pickled, expiry = found
        if expiry is not None and expiry <= time.time():
            self._remove(key)
            return None
        self._entries.move_to_end(key)
        return pickled

    def _store(self, key: str, pickled: bytes, timeout: Any) -> bool:
        """Store the value in place of a former one; return False if it is too large."""
        self._remove(key)
        size = len(key) + len(pickled)
        if size > self._most // LARGEST_SHARE:
            return False
        self._entries[key] = pickled, self.get_backend_timeout(timeout)
        self._bytes += size
        while self._bytes > self._most:
            self._remove(next(iter(self._entries)))
        return True

    def _remove(self, key: str) -> bool:
        found = self._entries.pop(key, None)
        if found is not None:
            self._bytes -= len(key) + len(found[0])
        return found is not None

"""Limit OpenBLAS, numpy's linear algebra, to one thread."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

_lock = Lock()
_users = 0
_before = 0


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread of OpenBLAS; do nothing if numpy has another library.

    The parser's matrices are small, and it has its own threads. On a busy machine, the threads of
    OpenBLAS would spend most of their time waiting for each other.
    """
    _change_user_count(1)
    try:
        yield
    finally:
        _change_user_count(-1)


def _change_user_count(change: int) -> None:
    """Count the callers that need one thread; the setting is that of the whole process."""
    global _users, _before
    library = _library()
    if library is None:
        return
    with _lock:
        if _users == 0:
            _before = library.scipy_openblas_get_num_threads64_()
            library.scipy_openblas_set_num_threads64_(1)
        _users += change
        if _users == 0:
            library.scipy_openblas_set_num_threads64_(_before)


@cache
def _library() -> Any:
    """Return the OpenBLAS of numpy's wheel, which is loaded already, or None."""
    for path in (Path(np.__file__).parents[1] / "numpy.libs").glob("libscipy_openblas64_*.so*"):
        try:
            library = ctypes.CDLL(str(path))
            library.scipy_openblas_set_num_threads64_.argtypes = [ctypes.c_int]
        except (OSError, AttributeError):
            continue
        return library
    return None

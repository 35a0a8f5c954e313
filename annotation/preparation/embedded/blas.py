"""Keeping numpy's linear algebra (OpenBLAS) to one thread."""

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
    """Multiply matrices in one thread; where numpy brings no OpenBLAS, change nothing.

    The parser's matrices are small, and it has threads of its own: OpenBLAS' would wait for each
    other, spinning, on a busy machine many times as long as they work.
    """
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    """Note that one more or less needs it; the number of threads is the whole process'."""
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
    """The OpenBLAS inside numpy's wheel, which is already loaded; None elsewhere."""
    for path in (Path(np.__file__).parents[1] / "numpy.libs").glob("libscipy_openblas64_*.so*"):
        try:
            library = ctypes.CDLL(str(path))
            library.scipy_openblas_set_num_threads64_.argtypes = [ctypes.c_int]
        except (OSError, AttributeError):
            continue
        return library
    return None

"""Transactions that tests roll back."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone() -> Iterator[None]:
    """Roll back in the end what was written inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)

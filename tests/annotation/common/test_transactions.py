"""Transactions that PostgreSQL ends because of a deadlock."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import OperationalError, connection, transaction

from annotation.common.transactions import retried
from annotation.models import User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.databases,
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time."),
]


def test_a_service_is_repeated_after_a_deadlock_unless_its_caller_has_a_transaction() -> None:
    names = ("jana", "petr")
    for name in names:
        User.objects.create(username=name)
    both_hold_one = Barrier(2, timeout=30)
    calls: list[tuple[str, ...]] = []

    @retried
    def rename(*order: str) -> None:
        is_first = order not in calls
        calls.append(order)
        with transaction.atomic():
            for name in order:
                User.objects.filter(username=name).update(first_name=order[0])
                if is_first and name == order[0]:
                    both_hold_one.wait()

    def run(order: tuple[str, str], *, inside: bool) -> str:
        try:
            if inside:
                with transaction.atomic():
                    rename(*order)
            else:
                rename(*order)
        except OperationalError:
            return "failed"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        orders = (names, names[::-1])
        outcomes = list(pool.map(lambda order: run(order, inside=False), orders))
        assert (outcomes, len(calls)) == (["done", "done"], 3)
        calls.clear()
        outcomes = list(pool.map(lambda order: run(order, inside=True), orders))
        assert (sorted(outcomes), len(calls)) == (["done", "failed"], 2)

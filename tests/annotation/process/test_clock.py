"""The time by the database's clock."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from annotation.process import clock

A_MOMENT = timedelta(seconds=1)


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wrong", [timedelta(minutes=2), -timedelta(minutes=2)])
def test_a_machine_whose_clock_is_wrong_has_the_time_of_the_database(wrong: timedelta) -> None:
    connection.close()
    right = timezone.now()
    try:
        with time_machine.travel(right + wrong):
            connection.ensure_connection()
            error = clock.now() - right
    finally:
        # So that the next connection measures again.
        connection.close()
    if connection.vendor == "sqlite":
        # The database has no clock but that of its only machine.
        error -= wrong
    assert abs(error) < A_MOMENT * 5
    connection.ensure_connection()
    assert abs(clock.now() - timezone.now()) < A_MOMENT

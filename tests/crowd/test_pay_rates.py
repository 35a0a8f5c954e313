"""Exact amounts, against values computed by hand."""

from decimal import Decimal

import pytest

from crowd.pay_rates import earned, hours

TEN = Decimal("10.00")


@pytest.mark.parametrize(
    ("seconds", "per_hour", "cap", "amount"),
    [
        (3600, TEN, None, "10.00"),
        (0, TEN, None, "0.00"),
        (1800, Decimal("12.34"), None, "6.17"),
        # 9 s at 10 an hour are 2.5 cents: half a cent is rounded up, and not to the even one.
        (9, TEN, None, "0.03"),
        (27, TEN, None, "0.08"),
        # 1 s at 12.50 is 0.347 cents.
        (1, Decimal("12.50"), None, "0.00"),
        (7200, TEN, Decimal("15.00"), "15.00"),
        (5400, TEN, Decimal("15.00"), "15.00"),
        (5399, TEN, Decimal("15.00"), "15.00"),
        (5396, TEN, Decimal("15.00"), "14.99"),
        (7200, TEN, Decimal(0), "0.00"),
        # What floats would make 1.00: 100.5 cents.
        (3618, Decimal("1.00"), None, "1.01"),
        (10**9, Decimal("999999.99"), None, "277777775000.00"),
    ],
)
def test_pay_is_hours_times_rate_at_most_the_cap(seconds, per_hour, cap, amount):
    assert str(earned(seconds, per_hour=per_hour, cap=cap)) == amount


def test_nothing_is_paid_where_there_is_no_rate():
    assert earned(3600, per_hour=None, cap=TEN) is None


def test_hours_have_four_decimals():
    assert [str(hours(seconds)) for seconds in (0, 1, 3600, 5000)] == [
        "0.0000",
        "0.0003",
        "1.0000",
        "1.3889",
    ]

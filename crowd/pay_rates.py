"""What somebody earns by working for so long: exact decimal numbers, rounded once."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

CENT: Final = Decimal("0.01")
SECONDS_OF_AN_HOUR: Final = 3600


def hours(seconds: int) -> Decimal:
    """Return seconds / 3600 with four decimals, half rounded up: for people to read."""
    return _rounded(Decimal(seconds) / SECONDS_OF_AN_HOUR, Decimal("0.0001"))


def earned(seconds: int, *, per_hour: Decimal | None, cap: Decimal | None) -> Decimal | None:
    """Return seconds × per_hour / 3600, at most the cap, in cents, half a cent rounded up.

    None where nothing is paid.
    """
    if per_hour is None:
        return None
    exact = seconds * per_hour / SECONDS_OF_AN_HOUR
    return _rounded(exact if cap is None else min(exact, cap), CENT)


def _rounded(number: Decimal, to: Decimal) -> Decimal:
    return number.quantize(to, rounding=ROUND_HALF_UP)

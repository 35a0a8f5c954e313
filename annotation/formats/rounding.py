"""One rounding for all figures that people read, on pages and in LaTeX, Markdown and text."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

# Figures have so many decimals in JSON and CSV, and in stored reports.
DECIMALS: Final = 6


def rounded(number: float | Decimal, places: int) -> Decimal:
    """Return the number with so many decimals; halves are rounded away from zero.

    It is rounded from DECIMALS decimals, so a figure computed now is the same as one from a stored
    report. There is no negative zero.
    """
    stored = (
        number if isinstance(number, Decimal) else Decimal(repr(round(float(number), DECIMALS)))
    )
    return stored.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) + 0

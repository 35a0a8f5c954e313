"""Numbers and signatures as plain JSON."""

from collections.abc import Sequence
from math import isnan
from typing import Final

from evaluation.report.shape import EstimateRow
from evaluation.stats.estimates import Estimate

DECIMALS: Final = 6


def rounded(number: float | None) -> float | None:
    """Return the number to six decimals; None for NaN, too, which JSON does not have."""
    return None if number is None or isnan(number) else round(number, DECIMALS)


def estimate_row(estimate: Estimate) -> EstimateRow:
    """Return the figure, its interval, and why there is none."""
    return {
        "value": rounded(estimate.value),
        "low": rounded(estimate.low),
        "high": rounded(estimate.high),
        "undefined": estimate.undefined,
        "no_interval": estimate.no_interval,
    }


def signed(signature: object, rules: Sequence[str]) -> str:
    """Return the signature of a part, with what was left out for it."""
    return "|".join((str(signature), *rules))

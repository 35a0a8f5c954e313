"""Williams' test: does one metric correlate with people significantly better than another?

Both correlations share the human scores, so the test takes the correlation of the two metrics into
account. Sources: Williams (1959), "The Comparison of Regression Variables"; Graham & Baldwin
(2014), "Testing for Significance of Increased Correlation with Human Judgment". Printed versions
that lack the square of (r13 + r23) / 2 or the cube of 1 - r12 are misprints.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.meta.correlation import pearson
from evaluation.stats.resampling import Floats

SIGNIFICANT: Final = 0.05
# The test has n - 3 degrees of freedom.
FEWEST_SYSTEMS: Final = 4
# With fewer systems the test hardly tells metrics apart (Mathur 2021, section 6.4).
ENOUGH_SYSTEMS: Final = 10
WEAK: Final = "fewer than 10 systems: the test is weak, and metrics of little merit can win"
# 1 - |r| of two metrics that are linear functions of each other, but for rounding errors. A
# difference of 1e-6 standard deviations in one of 20 systems is larger.
SAME: Final = 1e-13


@dataclass(frozen=True, eq=False)
class WilliamsTests:
    """Tests of each of M metrics (row) against each other (column), from N systems.

    `t` M × M is positive where the row has the higher r; `p` M × M is one-sided: small where the
    row is significantly better. Both are NaN on the diagonal, between metrics that are `same`
    (M × M: linear functions of each other), for a metric without r, and for fewer than 4 systems.
    `winners` have an r that no other metric beats significantly (p ≤ .05), as at WMT; without a
    test there are none. `caution` says why winners say little; it is empty if there are enough
    systems.
    """

    metrics: tuple[str, ...]
    systems: int
    pearson: Floats
    t: Floats
    p: Floats
    same: NDArray[np.bool_]
    winners: tuple[str, ...]
    caution: str


def williams(r12: Floats, r13: Floats, r23: Floats, systems: int) -> tuple[Floats, Floats]:
    """Return t and one-sided p of r12 > r13; arrays of one shape.

    1 are the human scores, 2 and 3 the metrics, and r23 is their correlation. t has the sign of
    r12 - r13 and n - 3 degrees of freedom. NaN for fewer than 4 systems, and for r23 = ±1, where
    it would be 0 / 0.
    """
    from scipy.special import stdtr

    if systems < FEWEST_SYSTEMS:
        undefined = np.full(np.broadcast(r12, r13, r23).shape, np.nan)
        return undefined, undefined.copy()
    free = systems - 3
    with np.errstate(divide="ignore", invalid="ignore"):
        k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
        # It is the determinant of a correlation matrix: negative by rounding errors only.
        k = np.maximum(k, 0.0)
        spread = 2 * k * (systems - 1) / free + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
        t = (r12 - r13) * np.sqrt((systems - 1) * (1 + r23)) / np.sqrt(spread)
    t = np.where(1 - np.abs(r23) <= SAME, np.nan, t)
    return t, np.asarray(stdtr(free, -t))


def compare_metrics(metrics: tuple[str, ...], human: Floats, scores: Floats) -> WilliamsTests:
    """Test all pairs of metrics; `human` has N scores, `scores` M × N, NaN for missing metrics."""
    r = pearson(human, scores)
    between = pearson(scores[:, None, :], scores[None, :, :])
    np.fill_diagonal(between, np.nan)
    systems = len(human)
    t, p = williams(r[:, None], r[None, :], between, systems)
    wins = ~np.any(p <= SIGNIFICANT, axis=0) & ~np.isnan(r) & (systems >= FEWEST_SYSTEMS)
    return WilliamsTests(
        metrics,
        systems,
        r,
        t,
        p,
        same=between >= 1 - SAME,
        winners=tuple(name for name, is_winner in zip(metrics, wins, strict=True) if is_winner),
        caution=WEAK if systems < ENOUGH_SYSTEMS else "",
    )

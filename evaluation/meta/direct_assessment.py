"""Direct assessments of translations as gold: the pairs that they decide (daRR).

Two systems' translations of a segment are a pair if their raw scores, from 0 to 100, differ by at
least 25: smaller differences may be chance. daRR's τ, "Kendall-like", is τ of these pairs by the
rule WMT12, because none of them is a tie.
Sources: Bojar et al. (2017), "Results of the WMT17 Metrics Shared Task"; Ma et al. (2018) and
(2019); Mathur et al. (2020), "Results of the WMT20 Metrics Shared Task".
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from evaluation.meta.gold_pairs import GoldPairs, pairs_of_systems

LEAST_DIFFERENCE: Final = 25.0


def assessed_pairs(scores: ArrayLike, *, least_difference: float = LEAST_DIFFERENCE) -> GoldPairs:
    """Return the pairs of systems whose scores of a segment differ by at least this much.

    `scores` are raw, systems × segments, NaN where missing; a metric needs scores of that shape.
    With a difference of 0, equal scores are ties. Raises ValueError if it is negative.
    """
    if least_difference < 0:
        raise ValueError("The least difference must not be negative.")
    values = np.asarray(scores, dtype=np.float64)
    systems, segments = values.shape
    x, y = np.triu_indices(systems, 1)
    differences = values[x] - values[y]
    with np.errstate(invalid="ignore"):
        pairs, columns = np.nonzero(np.abs(differences) >= least_difference)
    return pairs_of_systems(
        f"pairs of assessments that differ by {least_difference:g} or more",
        outcomes=np.sign(differences[pairs, columns]),
        first=x[pairs],
        second=y[pairs],
        segments=columns,
        shape=(systems, segments),
        judgements=int(np.count_nonzero(~np.isnan(values))),
    )

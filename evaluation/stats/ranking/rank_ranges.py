"""Ranks of systems in resamples, the range of each, and the clusters that ranges leave apart.

Source: method.md, "Systems"; Koehn (2012) and Bojar et al. (2013), "Findings of the 2013 Workshop
on Statistical Machine Translation", section 3.3: of 1000 resamples, the 25 best and the 25 worst
ranks of a system are thrown away, and what is left is its range.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from evaluation.stats.resampling import Floats

THROWN_AWAY: Final = 0.025
# Scores closer than that are the same score, computed in another order.
DECIMALS: Final = 9

Range = tuple[int, int]


def ranks(scores: Floats) -> Floats:
    """Rank the systems of each row (T × systems): 1 + how many are better; NaN without a score."""
    rounded = np.round(scores, DECIMALS)
    # Comparisons with NaN are false: whoever has no score is better than nobody.
    better = (rounded[:, None, :] > rounded[:, :, None]).sum(axis=2)
    return np.where(np.isnan(scores), np.nan, 1.0 + better)


def rank_ranges(resampled: Floats) -> list[Range | None]:
    """Return the best and the worst rank of each system (column) in the middle 95 % of resamples.

    Resamples (rows) in which a system has no rank are left out; None where it never has one.
    """
    ranges: list[Range | None] = []
    for column in ranks(resampled).T:
        defined = np.sort(column[~np.isnan(column)])
        ends = int(THROWN_AWAY * len(defined))
        ranges.append((int(defined[ends]), int(defined[-1 - ends])) if len(defined) else None)
    return ranges


def clusters(ranges: Sequence[Range]) -> list[int]:
    """Number the clusters of systems (best first) from 1.

    One ends after system i iff the worst rank within the systems up to i is better than the best
    rank of all after it.
    """
    numbers: list[int] = []
    number = 1
    for index in range(len(ranges)):
        numbers.append(number)
        after = ranges[index + 1 :]
        if after and max(worst for _, worst in ranges[: index + 1]) < min(
            best for best, _ in after
        ):
            number += 1
    return numbers

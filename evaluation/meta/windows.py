"""Correlation over parts of the systems: windows that roll from the worst to the best.

They show whether a metric is less reliable for strong systems, and how unstable r is over few: for
windows of four systems it goes from -1 to 1 by chance, which the intervals say.
Source: Mathur (2021), section 6.5 and Figure 6.7, after Ma et al. (2019).
"""

from dataclasses import dataclass

import numpy as np

from evaluation.meta.correlation import pearson
from evaluation.meta.intervals import few_systems
from evaluation.meta.system_scores import SystemScores
from evaluation.stats.resampling import Floats


@dataclass(frozen=True, eq=False)
class Window:
    """r of M metrics over systems whose ranks by people are `first` (1 is best) to `last`.

    `pearson` M is NaN where it is undefined.
    """

    first: int
    last: int
    systems: tuple[str, ...]
    pearson: Floats


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows in the order of the figure: from the worst systems to the best."""

    metrics: tuple[str, ...]
    windows: tuple[Window, ...]
    caution: str


def rolling_windows(
    scores: SystemScores,
    *,
    size: int,
) -> Windows:
    """Return windows of `size` systems, from the worst to the best, one system further each time.

    Systems with equal human scores keep their order. There is no window if there are fewer systems.
    Raises ValueError for a size below 2.
    """
    if size < 2:
        raise ValueError("A window needs two systems or more.")
    bounds = [(start, start + size) for start in range(len(scores.systems) - size, -1, -1)]
    by_people = np.argsort(-scores.human, kind="stable")
    windows = []
    for start, stop in bounds:
        human, metrics = (
            array[..., by_people[start:stop]] for array in (scores.human, scores.scores)
        )
        windows.append(
            Window(
                first=start + 1,
                last=stop,
                systems=tuple(scores.systems[row] for row in by_people[start:stop]),
                pearson=pearson(human, metrics),
            )
        )
    fewest = min((stop - start for start, stop in bounds), default=0)
    return Windows(scores.metrics, tuple(windows), few_systems(fewest))

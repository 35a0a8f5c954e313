"""How small a difference between two systems the judgements could have shown.

A difference is that of a pair's win rate from 0.5. The smallest one that a two-sided test of level
α finds with power 1 - β is (z(1 - α / 2) + z(1 - β)) · SE. The standard error is that of the
sign-flip test, √(Σ m²) / (2 · the number of wins and losses), with the net wins m of each sentence,
or of each document or block if these are sampled.
With Holm's correction, α is divided by the number of pairs, as for the smallest p; the other pairs
need less.
Source: Card et al. (2020), "With Little Power Comes Great Responsibility".
"""

from dataclasses import dataclass
from math import ceil
from statistics import NormalDist
from typing import Final

import numpy as np

from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import FEWEST_SENTENCES, Floats
from evaluation.stats.units import Unit
from evaluation.stats.wins import KINDS, CellWins, count_cells

LEVEL: Final = 0.05
POWER: Final = 0.8
# No win rate is farther from 0.5.
LARGEST: Final = 0.5


@dataclass(frozen=True)
class Detectable:
    """The smallest difference that would have been found: of all pairs, and of the median pair.

    It is LARGEST where no difference would have been found.
    """

    median: float
    least: float
    most: float


@dataclass(frozen=True, eq=False)
class Power:
    """Standard errors of the win rates of pairs x < y, from `sentences` sentences.

    They are NaN for pairs with a winner in fewer than FEWEST_SENTENCES sampled units. `tests` is
    the number of pairs with a winner in any.
    """

    standard_errors: Floats
    tests: int
    sentences: int
    unit: Unit
    signature: str

    @property
    def undefined(self) -> str:
        """Why there is nothing to say; "" if there is."""
        return nothing_decided(self.unit) if np.isnan(self.standard_errors).all() else ""

    def differences(self, *, tests: int) -> Floats:
        """Return the smallest difference found of each pair, with so many tests."""
        return np.minimum(LARGEST, _quantiles(tests) * self.standard_errors)

    def detectable(self, *, tests: int) -> Detectable | None:
        """Return the smallest differences found with so many tests; None if undefined."""
        if self.undefined:
            return None
        found = self.differences(tests=tests)
        return Detectable(*(float(of(found)) for of in (np.nanmedian, np.nanmin, np.nanmax)))

    def needed(self, difference: float, *, tests: int) -> int | None:
        """Return the number of sentences with which the median pair shows this difference.

        It takes the standard error to fall with the root of the number of sentences. None if
        undefined.
        """
        if self.undefined:
            return None
        error = float(np.nanmedian(self.standard_errors))
        return ceil(self.sentences * (_quantiles(tests) * error / difference) ** 2)


def nothing_decided(unit: Unit) -> str:
    """Return why no difference could have been found."""
    return f"no pair of systems has a winner in {FEWEST_SENTENCES} {unit.plural} or more"


def measure_power(judgements: Judgements, *, cells: CellWins | None = None) -> Power:
    """Return the standard error of the win rate of each pair of systems.

    `cells` are `count_cells(judgements)`, if counted already.
    """
    counted = (cells or count_cells(judgements)).by_sentence
    won, lost, *_ = np.split(counted.counts, KINDS, axis=1)
    decided = won + lost
    units = np.count_nonzero(decided, axis=0)
    errors = np.sqrt((counted.net**2).sum(axis=0)) / np.maximum(1, 2 * decided.sum(axis=0))
    errors[(units < FEWEST_SENTENCES) | (errors == 0)] = np.nan
    tests = int(np.count_nonzero(units))
    return Power(
        standard_errors=errors,
        tests=tests,
        sentences=judgements.sentences_judged,
        unit=judgements.unit,
        signature=judgements.sign(
            "smallest differences of win rates from 0.5",
            f"standard errors of sign flips of {judgements.unit}",
            "two-sided",
            f"level {LEVEL:g}",
            f"power {POWER:g}",
            f"Holm over {tests} pairs",
        ),
    )


def _quantiles(tests: int) -> float:
    """Return z(1 - α / 2) + z(1 - β), with α divided by the number of tests."""
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / max(1, tests) / 2) + normal.inv_cdf(POWER)

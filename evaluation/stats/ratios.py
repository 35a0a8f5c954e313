"""Figures that are quotients of sums over judgements, such as means, shares and rates.

The sums are counted once by cell, all that one annotator judged in one sampled unit. Units are
resampled for other sentences; influences of cells on the figures, those of a quotient linearised,
give variances for other annotators too (`evaluation.stats.two_way`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Cells
from evaluation.stats.resampling import (
    ALL_EQUAL,
    Bounds,
    Floats,
    number_sentences,
    resampled_sums,
    reweighted_sums,
    shares,
    sum_rows,
    with_interval,
)
from evaluation.stats.two_way import TwoWay, two_way
from evaluation.stats.units import Unit

# Rounding errors of influences.
NO_INFLUENCE: Final = 1e-9


def halves(sums: Floats) -> tuple[Floats, Floats]:
    """Return the first half of the columns, as numerators, and the second, as denominators."""
    numerators, denominators = np.split(sums, 2, axis=-1)
    return numerators, denominators


@dataclass(frozen=True, eq=False)
class Ratios:
    """K quotients of sums over U sampled units, and what their intervals need.

    `values` K are NaN where the denominator is 0. `by_unit` U × M are the sums of units; `split`
    returns the K numerators and the K denominators of sums (… × M), and quotients are multiplied by
    `scale`. `two_way` has the covariances of the figures. `unmoved` K tells which figures no cell
    changes, because all judgements are alike.
    """

    values: Floats
    by_unit: Floats
    two_way: TwoWay
    unmoved: NDArray[np.bool_]
    split: Callable[[Floats], tuple[Floats, Floats]] = halves
    scale: float = 1.0

    @property
    def units(self) -> NDArray[np.intp]:
        """The number of units with a denominator (K)."""
        _, denominators = self.split(self.by_unit)
        return np.asarray(np.count_nonzero(denominators, axis=0))

    def resampled(self, *, resamples: int, seed: int) -> Floats:
        """Return the figures in resamples of the units (resamples × K)."""
        return self._quotients(resampled_sums(self.by_unit, resamples=resamples, seed=seed))

    def reweighted(self, *, draws: int, seed: int) -> Floats:
        """Return the figures with random weights of the units (draws × K; Bayesian bootstrap)."""
        return self._quotients(reweighted_sums(self.by_unit, draws=draws, seed=seed))

    def estimates(
        self, resampled: Floats, bounds: Sequence[Bounds], undefined: Sequence[str], unit: Unit
    ) -> list[Estimate]:
        """Return the K figures with both intervals, within their bounds.

        `resampled` are their values in resamples of the units, and `undefined` the reasons where
        there is no value.
        """
        units = self.units.tolist()

        def estimate(figure: int, value: float) -> Estimate:
            if np.isnan(value):
                return Estimate(None, undefined=undefined[figure])
            narrow = with_interval(value, resampled[:, figure], units[figure], bounds[figure], unit)
            if narrow.low is not None and self.unmoved[figure]:
                # An error of 0 says nothing of other annotators.
                return replace(narrow, no_wide_interval=self.two_way.undefined or ALL_EQUAL)
            return self.two_way.widen(narrow, figure, bounds[figure])

        return [estimate(*row) for row in enumerate(self.values.tolist())]

    def _quotients(self, sums: Floats) -> Floats:
        return shares(*self.split(sums)) * self.scale


def ratios_of_cells(
    sums: Floats,
    cells: Cells,
    *,
    split: Callable[[Floats], tuple[Floats, Floats]] = halves,
    scale: float = 1.0,
    totals: tuple[Floats, Floats] | None = None,
    weights: Floats | None = None,
) -> Ratios:
    """Return the quotients of sums (C × M) over cells; denominators are whole numbers.

    `totals` are the K numerators and the K denominators of all cells together, by default the sums
    of those of cells; `weights` (C) the numbers of judgements, by default the sums of denominators.
    """
    numerators, denominators = split(sums)
    total, whole = totals or (numerators.sum(axis=0), denominators.sum(axis=0))
    values = shares(total, whole) * scale
    influence = numerators * scale - np.nan_to_num(values) * denominators
    influence /= np.maximum(whole, 1)
    if weights is None:
        weights = denominators.sum(axis=1)
    units, unit_count = number_sentences(cells.units)
    return Ratios(
        values,
        sum_rows(units, sums, unit_count),
        two_way(influence, cells.units, cells.annotators, weights),
        np.abs(influence).max(axis=0, initial=0.0) * whole < NO_INFLUENCE,
        split,
        scale,
    )

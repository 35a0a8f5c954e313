"""Variances of measures of agreement over other sentences and other annotators.

Each pair of judgements has an influence on a measure by what the two annotators say of the same
candidates. Measures that are corrected for chance depend on single judgements too, by P(E).
What is said of sentences here holds for any unit that `Judgements.units` numbers.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evaluation.stats.agreement.alpha import PairedValues
from evaluation.stats.comparisons import Comparisons, Counts
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.ratios import NO_INFLUENCE
from evaluation.stats.resampling import ALL_EQUAL, Floats
from evaluation.stats.two_way import TwoWay, two_way, two_way_of_pairs

# Weights of a disagreement in which one of the two judgements has a tie; reversed pairs weigh 1.
LINEAR: Final = 0.5
QUADRATIC: Final = 0.25
# Then κ is that without weights.
NO_WEIGHTS: Final = 1.0


@dataclass(frozen=True, eq=False)
class _Pairs:
    """P pairs of judgements by annotators `left` and `right`: the parts of a quotient of sums."""

    parts: Counts | Floats
    wholes: Counts | Floats
    units: Codes
    left: Codes
    right: Codes

    @property
    def ratio(self) -> float:
        return float(self.parts.sum() / self.wholes.sum())

    @property
    def influence(self) -> Floats:
        """The influence of each pair on the ratio."""
        return np.asarray((self.parts - self.ratio * self.wholes) / self.wholes.sum())


def ratio_over_annotators(
    judgements: Judgements, pairs: Comparisons, parts: Counts | Floats, wholes: Counts | Floats
) -> TwoWay:
    """Return the variance of Σ parts / Σ wholes over pairs of judgements.

    The pairs are all by one annotator, or all by two. There is none over annotators, because all
    are equal, if every pair has the same quotient.
    """
    of = _Pairs(parts, wholes, judgements.units[pairs.rows], pairs.left, pairs.right)
    influence = of.influence
    if np.array_equal(of.left, of.right):
        both = two_way(influence[:, None], of.units, of.left, of.wholes)
    else:
        both = two_way_of_pairs(influence, of.units, of.left, of.right)
    if both.both is not None and np.abs(influence).max() * of.wholes.sum() < NO_INFLUENCE:
        return replace(both, both=None, undefined=ALL_EQUAL)
    return both


def kappa_over_annotators(
    judgements: Judgements,
    pairs: Comparisons,
    ties: tuple[Counts, Counts],
    one_tied: float = NO_WEIGHTS,
) -> TwoWay:
    """Return the variance of κ, which must be defined, by pairs all by one annotator or by two.

    `ties` are the tied and the untied pairs of candidates of all judgements.
    """
    pairs = pairs.select(pairs.compared > 0)
    disagree = pairs.reversed + one_tied * (pairs.compared - pairs.agree - pairs.reversed)
    units = judgements.units[pairs.rows]
    of = _Pairs(np.asarray(disagree, np.float64), pairs.compared, units, pairs.left, pairs.right)
    return _corrected(of, ties, judgements.units, judgements.annotators, one_tied)


def alpha_over_annotators(
    judgements: Judgements, values: PairedValues, one_tied: float = NO_WEIGHTS
) -> TwoWay:
    """Return the variance of α, which must be defined: nominal, or ordinal with QUADRATIC."""
    rows, other = values.rows, values.other_rows
    of = _Pairs(
        values.reversed + one_tied * values.one_tied,
        values.compared,
        judgements.units[rows],
        judgements.annotators[rows],
        judgements.annotators[other],
    )
    known = values.tied + values.untied > 0
    ties = values.tied[known], values.untied[known]
    return _corrected(of, ties, judgements.units[known], judgements.annotators[known], one_tied)


def _corrected(
    pairs: _Pairs, ties: tuple[Counts, Counts], units: Codes, annotators: Codes, one_tied: float
) -> TwoWay:
    """Return the variance of 1 - D_o / D_e; judgements by `annotators` in `units` have `ties`."""
    observed = pairs.ratio
    tied, untied = (float(amounts.sum()) for amounts in ties)
    share = tied / (tied + untied)
    expected = (1 - share) ** 2 / 2 + one_tied * 2 * share * (1 - share)
    # d(1 - D_o / D_e) / dD_e times dD_e / dP(=) times the influence of the judgement on P(=).
    slope = observed / expected**2 * (share - 1 + one_tied * (2 - 4 * share))
    of_judgements = slope * (ties[0] - share * (ties[0] + ties[1])) / (tied + untied)
    influence = np.concatenate([-pairs.influence / expected, of_judgements])
    where = np.concatenate([pairs.units, units])
    left = np.concatenate([pairs.left, annotators])
    if np.array_equal(pairs.left, pairs.right):
        weights = np.concatenate([pairs.wholes, np.zeros(len(units))])
        return two_way(influence[:, None], where, left, weights)
    right = np.concatenate([pairs.right, annotators])
    return two_way_of_pairs(influence, where, left, right)

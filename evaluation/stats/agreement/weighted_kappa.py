"""Kinds of disagreement: κ with weights, and how often two judgements reverse a pair of candidates.

κ counts a tie in the one judgement and "better" in the other as much as "better" and "worse". Here
the first is half a disagreement (linear weights) or a quarter (quadratic weights). P(E) is that of
κ: P(<) = P(>) = (1 - P(=)) / 2 over all judgements (method.md, "Agreement").
Source: Cohen (1968), "Weighted Kappa: Nominal Scale Agreement with Provision for Scaled
Disagreement or Partial Credit".
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evaluation.stats.agreement.alpha import ALPHA, UNITS, count_units, ordinal_alpha, pair_values
from evaluation.stats.agreement.kappa import Agreement, Chance, Undefined
from evaluation.stats.agreement.over_annotators import (
    LINEAR,
    QUADRATIC,
    alpha_over_annotators,
    kappa_over_annotators,
    ratio_over_annotators,
)
from evaluation.stats.comparisons import Comparisons, Counts, Kind, compare_judgements, count_ties
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.resampling import (
    ALL_EQUAL,
    SHARE,
    Bounds,
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sums_by,
    with_interval,
)
from evaluation.stats.units import Unit

# The columns of the counts by sampled unit: over all judgements, and of pairs of judgements by one
# annotator and by two, each with pairs of candidates that agree, have one tie, and are reversed.
TIED, UNTIED = range(2)
COLUMNS: Final[Mapping[Kind, slice]] = {"intra": slice(2, 5), "inter": slice(5, 8)}
COUNTED: Final = 8
NO_TWO_ANNOTATORS: Final = "no two annotators judged the same candidates"
ALL_AGREE: Final = "all compared pairs agree"


@dataclass(frozen=True)
class Disagreement:
    """Pairs of candidates by what two judgements say of them; of `one_tied`, one has a tie.

    `linear` and `quadratic` are κ with weights; `reversed_share` is that of the reversed pairs
    among those that disagree.
    """

    agree: int
    one_tied: int
    reversed: int
    chance: Chance
    linear: Estimate
    quadratic: Estimate
    reversed_share: Estimate

    @property
    def agreement(self) -> Agreement:
        """The agreement without weights."""
        return Agreement(self.agree, self.agree + self.one_tied + self.reversed, self.chance)


@dataclass(frozen=True)
class Disagreements:
    """Kinds of disagreement, intra and inter, and ordinal α of `units` pairs of candidates."""

    intra: Disagreement
    inter: Disagreement
    ordinal_alpha: Estimate
    units: int
    signature: str


def measure_disagreement(
    judgements: Judgements, *, resamples: int = 1000, seed: int = 0
) -> Disagreements:
    """Count the kinds of disagreement of annotators with themselves and with each other.

    The pairs of judgements are those of κ, and the units those of α. All measures have intervals
    over sentences, and over sentences and annotators.
    """
    codes, count = number_sentences(judgements.units)
    comparisons = compare_judgements(judgements)
    ties = count_ties(judgements.candidate_ranks)
    counts = count_disagreements(comparisons, ties, codes, count)
    of_alpha = count_units(judgements, codes, count)
    resampled = resampled_sums(np.hstack([counts, of_alpha]), resamples=resamples, seed=seed)
    measure = _Measure(judgements, comparisons, ties, counts, resampled[:, :COUNTED])
    sums_of_alpha = of_alpha.sum(axis=0, keepdims=True)
    ordinal = _estimate(
        float(ordinal_alpha(sums_of_alpha)[0]),
        ordinal_alpha(resampled[:, COUNTED:]),
        int(np.count_nonzero(of_alpha[:, UNITS])),
        ALPHA,
        Undefined.ALL_TIED.value if of_alpha[:, UNITS].any() else NO_TWO_ANNOTATORS,
        judgements.unit,
    )
    if ordinal.low is not None:
        both = alpha_over_annotators(judgements, pair_values(judgements), QUADRATIC)
        ordinal = both.widen(ordinal, 0, ALPHA)
    return Disagreements(
        intra=measure.disagreement("intra"),
        inter=measure.disagreement("inter"),
        ordinal_alpha=ordinal,
        units=int(sums_of_alpha[0, UNITS]),
        signature=judgements.sign(
            "disagreement of unordered pairs of unique candidates",
            "worse, tie, better",
            "weights of a tie 1/2 linear and 1/4 quadratic",
            "expected agreement over all judgements",
            "repeats included",
            f"95 % intervals of {resamples} resamples of {judgements.unit}",
            f"seed {seed}",
        ),
    )


@dataclass(frozen=True, eq=False)
class _Measure:
    """The counts by sampled unit (S × 8) and by resample (T × 8), and what was counted."""

    judgements: Judgements
    comparisons: Comparisons
    ties: tuple[Counts, Counts]
    counts: Floats
    resampled: Floats

    def disagreement(self, kind: Kind) -> Disagreement:
        sums = self.counts.sum(axis=0)
        agree, one_tied, opposed = (int(count) for count in sums[COLUMNS[kind]])
        chance = Chance(int(sums[TIED]), int(sums[UNTIED]))
        agreement = Agreement(agree, agree + one_tied + opposed, chance)
        why = agreement.undefined.value if agreement.undefined else ""
        _, tied, reversed_ = self.resampled[:, COLUMNS[kind]].T
        reversed_share = _estimate(
            opposed / (one_tied + opposed) if one_tied + opposed else np.nan,
            shares(reversed_, tied + reversed_),
            int(np.count_nonzero(self.counts[:, COLUMNS[kind]][:, 1:].any(axis=1))),
            SHARE,
            ALL_AGREE if agree else Undefined.NOTHING_COMPARED.value,
            self.judgements.unit,
        )
        if reversed_share.low is not None:
            pairs = self.comparisons.of_kind(kind)
            both = ratio_over_annotators(
                self.judgements, pairs, pairs.reversed, pairs.compared - pairs.agree
            )
            reversed_share = both.widen(reversed_share, 0, SHARE)
        return Disagreement(
            agree,
            one_tied,
            opposed,
            chance,
            self._kappa(kind, LINEAR, why),
            self._kappa(kind, QUADRATIC, why),
            reversed_share,
        )

    def _kappa(self, kind: Kind, one_tied: float, undefined: str) -> Estimate:
        if undefined:
            return Estimate(None, undefined=undefined)
        sums = self.counts.sum(axis=0, keepdims=True)
        # κ if all compared pairs were reversed, and if all agreed.
        bounds = (1 - 1 / float(_expected_disagreement(sums, one_tied)[0]), 1.0)
        estimate = _estimate(
            float(weighted_kappa(sums, kind, one_tied)[0]),
            weighted_kappa(self.resampled, kind, one_tied),
            int(np.count_nonzero(self.counts[:, COLUMNS[kind]].any(axis=1))),
            bounds,
            undefined,
            self.judgements.unit,
        )
        if estimate.low is None:
            return estimate
        if estimate.value == 1:
            return replace(estimate, no_wide_interval=ALL_EQUAL)
        both = kappa_over_annotators(
            self.judgements, self.comparisons.of_kind(kind), self.ties, one_tied
        )
        return both.widen(estimate, 0, bounds)


def count_disagreements(
    comparisons: Comparisons, ties: tuple[Counts, Counts], units: Codes, count: int
) -> Floats:
    """Return the S × 8 counts that `weighted_kappa` needs.

    `units` are the codes, below `count`, of the judgements, and `ties` their tied and untied
    pairs of candidates.
    """
    columns = [sums_by(units, amounts, count) for amounts in ties]
    for chosen in (comparisons.by_one, ~comparisons.by_one):
        compared = comparisons.select(chosen)
        where = units[compared.rows]
        one_tied = compared.compared - compared.agree - compared.reversed
        columns += [
            sums_by(where, amounts, count)
            for amounts in (compared.agree, one_tied, compared.reversed)
        ]
    return np.stack(columns, axis=1)


def weighted_kappa(sums: Floats, kind: Kind, one_tied: float) -> Floats:
    """Return κ = 1 - D_o / D_e for sums over sampled units (T × 8); NaN if undefined.

    `one_tied` is LINEAR, QUADRATIC or NO_WEIGHTS.
    """
    agree, tied, opposed = sums[:, COLUMNS[kind]].T
    expected = _expected_disagreement(sums, one_tied)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (opposed + one_tied * tied) / (agree + tied + opposed)
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _expected_disagreement(sums: Floats, one_tied: float) -> Floats:
    """Return D_e; NaN without pairs of candidates."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ties = sums[:, TIED] / (sums[:, TIED] + sums[:, UNTIED])
    return np.asarray((1 - ties) ** 2 / 2 + one_tied * 2 * ties * (1 - ties))


def _estimate(
    value: float, resampled: Floats, sampled: int, bounds: Bounds, undefined: str, unit: Unit
) -> Estimate:
    if np.isnan(value):
        return Estimate(None, undefined=undefined)
    return with_interval(value, resampled, sampled, bounds, unit)

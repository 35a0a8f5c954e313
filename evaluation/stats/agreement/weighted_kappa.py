"""Kinds of disagreement: κ with weights, and how often two judgements reverse a pair of candidates.

κ counts a tie in the one judgement and "better" in the other as much as "better" and "worse". Here
the first is half a disagreement (linear weights) or a quarter (quadratic weights). P(E) is that of
κ: P(<) = P(>) = (1 - P(=)) / 2 over all judgements (method.md, "Agreement").
Source: Cohen (1968), "Weighted Kappa: Nominal Scale Agreement with Provision for Scaled
Disagreement or Partial Credit".
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.alpha import UNITS, alpha, count_units, ordinal_alpha
from evaluation.stats.agreement.kappa import Agreement, Chance, Undefined
from evaluation.stats.comparisons import compare_judgements, count_ties
from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.resampling import Floats, number_sentences, sums_by

# Weights of a disagreement in which one of the two judgements has a tie; reversed pairs weigh 1.
LINEAR: Final = 0.5
QUADRATIC: Final = 0.25
# The columns of the counts by sentence: over all judgements, and of pairs of judgements by one
# annotator and by two, each with pairs of candidates that agree, have one tie, and are reversed.
TIED, UNTIED = range(2)
INTRA: Final = slice(2, 5)
INTER: Final = slice(5, 8)
COUNTED: Final = 8


@dataclass(frozen=True)
class Disagreement:
    """Pairs of candidates by what two judgements say of them; of `one_tied`, one has a tie."""

    agree: int
    one_tied: int
    reversed: int
    chance: Chance

    @property
    def agreement(self) -> Agreement:
        """The agreement without weights."""
        return Agreement(self.agree, self.agree + self.one_tied + self.reversed, self.chance)

    @property
    def undefined(self) -> Undefined | None:
        """Why κ is undefined, with and without weights; None if it is defined."""
        return self.agreement.undefined

    @property
    def linear(self) -> float | None:
        """κ with linear weights; None if undefined."""
        return self._kappa(LINEAR)

    @property
    def quadratic(self) -> float | None:
        """κ with quadratic weights; None if undefined."""
        return self._kappa(QUADRATIC)

    @property
    def reversed_share(self) -> float | None:
        """The share of reversed pairs among those that disagree; None if all agree."""
        disagree = self.one_tied + self.reversed
        return self.reversed / disagree if disagree else None

    def _kappa(self, one_tied: float) -> float | None:
        sums = [self.chance.tied, self.chance.untied, self.agree, self.one_tied, self.reversed]
        kappa = float(weighted_kappa(np.array([sums], dtype=np.float64), INTRA, one_tied)[0])
        return None if np.isnan(kappa) else kappa


@dataclass(frozen=True)
class Disagreements:
    """Intra and inter; `nominal_alpha` and `ordinal_alpha` of `units` are None if undefined."""

    intra: Disagreement
    inter: Disagreement
    nominal_alpha: float | None
    ordinal_alpha: float | None
    units: int
    signature: Signature


def measure_disagreement(judgements: Judgements) -> Disagreements:
    """Count the kinds of disagreement of annotators with themselves and with each other.

    The pairs of judgements are those of κ, and the units those of α.
    """
    codes, count = number_sentences(judgements.sentences)
    sums = count_disagreements(judgements, codes, count).sum(axis=0).astype(np.int64)
    units = count_units(judgements, codes, count).sum(axis=0, keepdims=True)
    chance = Chance(int(sums[TIED]), int(sums[UNTIED]))
    intra, inter = (
        Disagreement(int(agree), int(one_tied), int(opposed), chance)
        for agree, one_tied, opposed in (sums[INTRA], sums[INTER])
    )
    nominal, ordinal = (float(measure(units)[0]) for measure in (alpha, ordinal_alpha))
    return Disagreements(
        intra=intra,
        inter=inter,
        nominal_alpha=None if np.isnan(nominal) else nominal,
        ordinal_alpha=None if np.isnan(ordinal) else ordinal,
        units=int(units[0, UNITS]),
        signature=Signature(
            "disagreement of unordered pairs of unique candidates",
            (
                "worse, tie, better",
                "weights of a tie 1/2 linear and 1/4 quadratic",
                "expected agreement over all judgements",
                "repeats included",
            ),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def count_disagreements(judgements: Judgements, sentences: Codes, count: int) -> Floats:
    """Return the S × 8 counts that `weighted_kappa` needs; `sentences` are codes below `count`."""
    columns = [sums_by(sentences, ties, count) for ties in count_ties(judgements.candidate_ranks)]
    every = compare_judgements(judgements)
    for chosen in (every.by_one, ~every.by_one):
        compared = every.select(chosen)
        where = sentences[compared.rows]
        one_tied = compared.compared - compared.agree - compared.reversed
        columns += [
            sums_by(where, amounts, count)
            for amounts in (compared.agree, one_tied, compared.reversed)
        ]
    return np.stack(columns, axis=1)


def weighted_kappa(sums: Floats, kind: slice, one_tied: float) -> Floats:
    """Return κ = 1 - D_o / D_e for sums over sentences (T × 8); NaN if undefined.

    `kind` is INTRA or INTER, and `one_tied` LINEAR or QUADRATIC; with 1 it is κ without weights.
    """
    agree, tied, opposed = sums[:, kind].T
    with np.errstate(divide="ignore", invalid="ignore"):
        ties = sums[:, TIED] / (sums[:, TIED] + sums[:, UNTIED])
        observed = (opposed + one_tied * tied) / (agree + tied + opposed)
        expected = (1 - ties) ** 2 / 2 + one_tied * 2 * ties * (1 - ties)
        return np.where(expected > 0, 1 - observed / expected, np.nan)

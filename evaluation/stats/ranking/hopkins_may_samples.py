"""Samples of the abilities of systems in the model of Hopkins and May, by a Gibbs sampler.

In turn are sampled, given the abilities, how far apart an annotator perceived the two translations
of each comparison (from the normal distribution, truncated to what they said), and, given these,
all abilities together. Only the sum of the differences of two systems with one outcome matters: if
there are SUMMED of them or more, it is sampled from the normal distribution with its mean and
variance (central limit theorem), so that the time does not depend on the number of comparisons.

The model takes comparisons as independent, those of one sentence and one annotator too. So its
intervals and rank ranges are too narrow for other sentences: `rank_all` with the method
"hopkins_may" has honest ones of the same abilities. The docstring of `hopkins_may` has the model.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements, natural_key
from evaluation.stats.ranking.hopkins_may import (
    NOISE,
    SPREAD,
    Outcomes,
    abilities_and_radius,
    judged_only,
    why_no_ability,
)
from evaluation.stats.ranking.systems import Range, rank_ranges, ranks
from evaluation.stats.resampling import Floats, middle
from evaluation.stats.wins import Wins, count_wins

SUMMED: Final = 50
BURN_IN: Final = 100


@dataclass(frozen=True)
class SampledAbility:
    """The mean and the middle 95 % of a system's sampled abilities and ranks.

    All are None, and `undefined` says why, if the system has no ability.
    """

    system: str
    ability: float | None
    low: float | None
    high: float | None
    rank: int | None
    ranks: Range | None
    undefined: str = ""


@dataclass(frozen=True)
class SampledAbilities:
    """Systems, best first; those without an ability last. `radius` is None if none has one."""

    systems: tuple[SampledAbility, ...]
    radius: float | None
    signature: Signature


def rank_by_samples(
    judgements: Judgements, *, radius: float | None = None, samples: int = 2000, seed: int = 0
) -> SampledAbilities:
    """Rank systems by their mean ability in the samples.

    Without a `radius` it is the one with the largest posterior. Raises ValueError if the radius is
    not above 0 although systems tie.
    """
    total = count_wins(judgements).total()
    names = judgements.system_names
    if radius is None and np.isfinite(most_likely := abilities_and_radius(total)[0, -1]):
        radius = float(most_likely)
    if radius is None:
        draws = np.full((samples, len(names)), np.nan)
    else:
        draws = sample_abilities(total, radius=radius, samples=samples, seed=seed)
    means = draws.mean(axis=0)
    places = ranks(means[None, :])[0]
    why = [str(each.value) for each in why_no_ability(total)]
    systems = [
        SampledAbility(name, None, None, None, None, None, why[x])
        if range_ is None
        else SampledAbility(name, float(means[x]), *middle(draws[:, x]), int(places[x]), range_)
        for x, (name, range_) in enumerate(zip(names, rank_ranges(draws), strict=True))
    ]
    return SampledAbilities(
        tuple(
            sorted(systems, key=lambda row: (row.rank or len(names) + 1, natural_key(row.system)))
        ),
        radius,
        Signature(
            "Hopkins-May",
            (
                "Gibbs sampler",
                "no radius" if radius is None else f"radius {radius:.4f}",
                "comparisons independent",
                "repeats included" if judgements.repeats.any() else "no repeats",
                f"{samples} samples after {BURN_IN}",
                f"seed {seed}",
            ),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def sample_abilities(total: Wins, *, radius: float, samples: int, seed: int) -> Floats:
    """Return samples × systems of the abilities given one table of wins and d = `radius`.

    Their mean over compared systems is made 0, because comparisons say nothing of it. NaN for
    systems never compared. Raises ValueError if d is not above 0 although systems tie.
    """
    judged = judged_only(total)
    wins, ties = judged.wins[0], judged.ties[0]
    if ties.any() and not radius > 0:
        raise ValueError("Systems tie, so the radius must be above 0.")
    random = np.random.default_rng(seed)
    compared = judged.compared[0]
    # The posterior of abilities given the differences: the same precision in each round.
    precision = (np.diag(compared.sum(axis=1)) - compared) / NOISE**2
    precision += np.eye(len(wins)) / SPREAD**2
    covariance = np.linalg.inv(precision)
    factor = np.linalg.cholesky(covariance)
    ability = np.zeros(len(wins))
    kept = np.empty((samples, len(wins)))
    cells = _Cells(wins, np.triu(ties))
    for number in range(-BURN_IN, samples):
        differences = cells.differences(ability, radius, random)
        sums = (differences.sum(axis=1) - differences.sum(axis=0)) / NOISE**2
        ability = covariance @ sums + factor @ random.standard_normal(len(wins))
        if number >= 0:
            kept[number] = ability
    kept[:, compared.sum(axis=1) == 0] = np.nan
    return kept - np.nanmean(kept, axis=1, keepdims=True) if compared.any() else kept


class _Cells:
    """The numbers of wins and, above the diagonal, of ties, and those to be sampled one by one."""

    def __init__(self, wins: Floats, ties: Floats) -> None:
        self.wins, self.ties = wins, ties
        self.few_wins, self.few_ties = (
            np.repeat(
                np.arange(counts.size), np.where(counts < SUMMED, counts, 0).ravel().astype(int)
            )
            for counts in (wins, ties)
        )

    def differences(self, ability: Floats, radius: float, random: np.random.Generator) -> Floats:
        """Return sampled sums of perceived x - y over all comparisons that x won or that tied."""
        from scipy.special import log_ndtr, ndtr, ndtri, ndtri_exp

        outcomes = Outcomes.of(np.append(ability, radius)[None])
        ahead = ability[:, None] - ability
        sums = (self.wins + self.ties) * ahead
        for counts, mean, known in (
            (self.wins, outcomes.win[0], outcomes.win_known[0]),
            (self.ties, outcomes.tie[0], outcomes.tie_known[0]),
        ):
            many = counts * (counts >= SUMMED)
            spread = np.sqrt(many * np.maximum(1 - known, 0))
            sums += NOISE * (many * mean + spread * random.standard_normal(mean.shape))
        flat = ahead.ravel()
        # Beyond the radius: minus the noise is below this end.
        end = (flat[self.few_wins] - radius) / NOISE
        noise = -ndtri_exp(np.log(random.random(len(end))) + log_ndtr(end))
        # Within the radius, in the lower tail, where small probabilities are exact.
        of_ties = flat[self.few_ties]
        upper = ndtr((radius - np.abs(of_ties)) / NOISE)
        lower = ndtr((-radius - np.abs(of_ties)) / NOISE)
        within = np.where(of_ties < 0, -1, 1) * ndtri(
            lower + random.random(len(upper)) * (upper - lower)
        )
        for places, each in ((self.few_wins, noise), (self.few_ties, within)):
            sums += NOISE * np.bincount(places, each, flat.size).reshape(sums.shape)
        return np.asarray(sums)

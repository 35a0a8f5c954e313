"""Quality of items and precision of annotators from continuous scores, by one Bayesian model.

The quality of item i is μ_i ~ N(0, 1), the precision of annotator j is τ_j ~ Gamma(shape k, scale
θ), and each standardised score is N(μ_i, 1 / τ_j): the scores of precise annotators count more. The
posterior is approximated by independent distributions of all μ and τ (variational Bayes), which are
updated in turn in closed form: μ_i ~ N(m_i, v_i) with v_i = 1 / (1 + Σ_j τ_j), m_i = v_i Σ_j τ_j
s_ij; τ_j ~ Gamma with the shape k + n_j / 2 and the rate 1 / θ + ½ Σ_i ((s_ij - m_i)² + v_i).
Source: Mathur, Baldwin & Cohn (2018), "Towards Efficient Machine Translation Evaluation by
Modelling Annotators": k = 5, and θ = 0.3, here a scale. Their constraint that a degraded text is
worse than its original is left out; repeats of an item are scores of that item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.estimates import sign
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.resampling import Floats, shares, sums_by

SHAPE: Final = 5.0
SCALE: Final = 0.3
MOST_ITERATIONS: Final = 1000
CLOSE_ENOUGH: Final = 1e-8


@dataclass(frozen=True, eq=False)
class ScoreModel:
    """The fitted model of I items and A annotators, by code.

    `quality` and `variance` (I) are m and v, NaN for items without scores; `precision` (A) is the
    mean of τ, `precision_low` and `precision_high` its 95 % interval, NaN for annotators without
    scores. `excluded` are those left out, because their scores are all equal or by request.
    """

    quality: Floats
    variance: Floats
    precision: Floats
    precision_low: Floats
    precision_high: Floats
    excluded: tuple[int, ...]
    iterations: int
    settled: bool
    signature: str

    def most_precise(self, count: int) -> tuple[int, ...]:
        """Return the codes of `count` annotators with the largest precision, largest first."""
        order = np.argsort(-self.precision, kind="stable")  # NaN last
        return tuple(int(code) for code in order[:count] if not np.isnan(self.precision[code]))


def standardise(annotators: Codes, scores: Floats) -> Floats:
    """Return (score - mean) / standard deviation by annotator, with n - 1; NaN if it is 0.

    NaN and unidentified annotators stay out of the means, and are NaN in the result.
    """
    means, deviations = scales(annotators, scores)
    return np.asarray((scores - means) / deviations)


def scales(annotators: Codes, scores: Floats) -> tuple[Floats, Floats]:
    """Return of each score its annotator's mean and standard deviation (n - 1), NaN if it is 0.

    Both are NaN for unknown scores and unidentified annotators.
    """
    known = (annotators != UNIDENTIFIED) & ~np.isnan(scores)
    who, values = annotators[known], scores[known]
    people = int(who.max(initial=-1)) + 1
    counts = np.bincount(who, minlength=people).astype(np.float64)
    of_people = shares(sums_by(who, values, people), counts)
    squares = sums_by(who, (values - of_people[who]) ** 2, people)
    spread = np.sqrt(shares(squares, counts - 1))
    # Rounding errors are no deviation.
    largest = np.zeros(people)
    np.maximum.at(largest, who, np.abs(values))
    spread[~(spread > 1e-12 * largest)] = np.nan
    means, deviations = np.full((2, len(scores)), np.nan)
    means[known], deviations[known] = of_people[who], spread[who]
    return means, deviations


def fit_scores(
    judged: ItemJudgements,
    scores: Floats,
    *,
    keep: Sequence[int] | None = None,
    shape: float = SHAPE,
    scale: float = SCALE,
    iterations: int = MOST_ITERATIONS,
) -> ScoreModel:
    """Fit the model to J scores, which are standardised by annotator first.

    With `keep`, such as `most_precise` of a first fit, only the scores of these annotators are
    used. NaN and scores by unidentified annotators are left out.
    """
    things = int(judged.items.max(initial=-1)) + 1
    people = int(judged.annotators.max(initial=-1)) + 1
    values = standardise(judged.annotators, scores)
    used = ~np.isnan(values)
    if keep is not None:
        used &= np.isin(judged.annotators, list(keep))
    present = np.unique(judged.annotators[judged.annotators != UNIDENTIFIED])
    of, values = judged.select(used), values[used]
    items, who = of.items, of.annotators
    item_counts = np.bincount(items, minlength=things)
    counts = np.bincount(who, minlength=people)
    gamma_shape = shape + counts / 2
    precision = np.full(people, shape * scale)
    mean, variance, rate = np.zeros(things), np.ones(things), np.full(people, 1 / scale)
    done, settled = 0, not len(values)
    while done < iterations and not settled:
        weights = precision[who]
        variance = 1 / (1 + sums_by(items, weights, things))
        mean = variance * sums_by(items, weights * values, things)
        errors = (values - mean[items]) ** 2 + variance[items]
        rate = 1 / scale + sums_by(who, errors, people) / 2
        former, precision = precision, gamma_shape / rate
        settled = bool(np.abs(precision - former).max() < CLOSE_ENOUGH * precision.max())
        done += 1
    judged_items, known = item_counts > 0, counts > 0
    low, high = _gamma_interval(gamma_shape, rate)
    return ScoreModel(
        quality=np.where(judged_items, mean, np.nan),
        variance=np.where(judged_items, variance, np.nan),
        precision=np.where(known, precision, np.nan),
        precision_low=np.where(known, low, np.nan),
        precision_high=np.where(known, high, np.nan),
        excluded=tuple(int(code) for code in present if not known[code]),
        iterations=done,
        settled=settled,
        signature=sign(
            "model of annotators",
            (
                f"items {np.count_nonzero(judged_items)}",
                f"annotators {np.count_nonzero(known)}",
                "standardised scores",
                f"precision Gamma({shape:g}, {scale:g})",
                f"at most {iterations} iterations",
            ),
            len(values),
            of.sentences_judged,
        ),
    )


def _gamma_interval(shape: Floats, rate: Floats) -> tuple[Floats, Floats]:
    from scipy.special import gammaincinv

    return gammaincinv(shape, 0.025) / rate, gammaincinv(shape, 0.975) / rate

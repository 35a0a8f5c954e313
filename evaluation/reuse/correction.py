"""A predicted score corrected by a few judgements of the new system's own candidates.

Of the M segments in which the system alone has its candidate, n are drawn at random and judged. The
predicted totals of wins and losses are corrected by M / n times the differences between what the
annotators said and what was predicted: this is unbiased, however wrong the prediction is
(Angelopoulos et al. 2023, "Prediction-powered inference", Science 382). As the prediction is
usually not that wrong, the corrected score is then shrunk to it: with its variance v, and the
variance τ² of predictions of judged systems, the correction gets the weight k = τ² / (τ² + v). The
interval has the variance k² v + (1 - k)² τ², with a wider τ, because that of a few systems may be
too small.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.reuse.candidate_features import Rows, count_outcomes
from evaluation.reuse.prediction import WIDENED, Prediction, hide_ranks, judgements_needed
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.ridge import Floats
from evaluation.stats.estimates import Estimate, Signature
from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.two_way import t_quantile

FEWEST_JUDGED: Final = 10


@dataclass(frozen=True, eq=False)
class Observed:
    """What annotators said of the system's candidate in n different segments.

    `segments` are codes; `wins`, `losses` and `comparisons` n numbers over all judgements.
    """

    segments: Rows
    wins: Floats
    losses: Floats
    comparisons: Floats

    def select(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "Observed":
        """Return these segments."""
        return Observed(
            self.segments[rows], self.wins[rows], self.losses[rows], self.comparisons[rows]
        )


@dataclass(frozen=True, eq=False)
class Corrected:
    """The ratio of wins of a system after `judged` of its `misses` were judged.

    `score` is drawn towards the prediction: `weight` is that of the judgements, 0 to 1; `unshrunk`
    is corrected only. Both hold for the judged segments of the project, not for other texts. Ranks
    as in Prediction. `prior` and `spread` as in `judgements_needed`.
    """

    system: str
    score: Estimate
    unshrunk: Estimate
    weight: float
    rank: int
    best_rank: int
    worst_rank: int
    judged: int
    misses: int
    prior: float
    spread: float
    signature: Signature

    def needed(self, half_width: float) -> int | None:
        """Return how many more misses must be judged so that the interval is ± half_width."""
        total = judgements_needed(
            half_width, prior=self.prior, spread=self.spread, misses=self.misses
        )
        return None if total is None else max(0, total - self.judged)


def split_judgements(
    judgements: Judgements, texts: ProjectTexts, system: str
) -> tuple[Judgements, Judgements]:
    """Return the judgements to predict the system from, and those to correct the prediction by.

    The latter rank a candidate that the system alone has: nothing may be learned from them first.
    Raises ValueError for an unknown system.
    """
    hidden = hide_ranks(judgements, texts, texts.system_names.index(system))
    ranks = judgements.system_ranks[:, judgements.system_names.index(system)]
    own = (ranks != MISSING) & (hidden[:, texts.system_names.index(system)] == MISSING)
    return judgements.select(~own), judgements.select(own)


def observe(judgements: Judgements, texts: ProjectTexts, system: str) -> Observed:
    """Return the segments of the judgements in which the system's candidate is ranked.

    Raises ValueError for an unknown system.
    """
    target = judgements.system_names.index(system)
    ranked = judgements.select(judgements.system_ranks[:, target] != MISSING)
    outcomes = count_outcomes(
        ranked.system_ranks, texts.segments_of(ranked), len(texts.segment_ids)
    )
    others = [other for other in range(len(judgements.system_names)) if other != target]
    wins, losses, comparisons = (
        values.astype(np.float64) for values in outcomes.against(target, others)
    )
    rows = np.flatnonzero(comparisons)
    return Observed(rows, wins[rows], losses[rows], comparisons[rows])


def correct(prediction: Prediction, observed: Observed) -> Corrected:
    """Correct a prediction by judgements of some of its misses, drawn at random.

    Segments that are no misses are left out. The prediction must not have been learned from these
    judgements. Raises InputError for fewer than FEWEST_JUDGED segments,
    and where the system never won or lost.
    """
    found = of_misses(prediction, observed)
    judged, misses = len(found.rows), len(prediction.misses)
    if judged < FEWEST_JUDGED or prediction.score.value is None:
        raise InputError(
            _(
                "The prediction of “%(system)s” needs judgements of at least %(least)d segments "
                "with its own candidates, but there are %(count)d. Judge more segments."
            ),
            system=prediction.system,
            least=FEWEST_JUDGED,
            count=judged,
        )
    plain = prediction.score.value
    own = prediction.misses
    # The corrected totals of a few judgements can be below 0.
    won = max(0.0, prediction.wins + own.wins.sum() + misses * found.wins.mean())
    lost = max(0.0, prediction.losses + own.losses.sum() + misses * found.losses.mean())
    if not won + lost:
        raise InputError(
            _("In the judged segments, “%(system)s” never won or lost."), system=prediction.system
        )
    unbiased = float(won / (won + lost))
    influence = (1 - unbiased) * found.wins - unbiased * found.losses
    spread = float(misses * influence.std(ddof=1) / (won + lost))
    variance = spread**2 * (1 / judged - 1 / misses)
    prior = prediction.deviation * prediction.share
    together = prior**2 + variance
    weight = prior**2 / together if together else 1.0
    score = plain + weight * (unbiased - plain)
    # Degrees of freedom of a sum of variances by Welch and Satterthwaite.
    parts = np.array([((1 - weight) * WIDENED * prior) ** 2, weight**2 * variance])
    known = np.array([prediction.degrees, judged - 1])
    error = float(np.sqrt(parts.sum()))
    degrees = error**4 / float((parts**2 / known).sum()) if error else judged - 1
    estimate = _within(score, t_quantile(degrees) * error)
    rank, best, worst = prediction.placed(score, estimate.low or 0.0, estimate.high or 0.0)
    return Corrected(
        system=prediction.system,
        score=estimate,
        unshrunk=_within(unbiased, t_quantile(judged - 1) * float(np.sqrt(variance))),
        weight=float(weight),
        rank=rank,
        best_rank=best,
        worst_rank=worst,
        judged=judged,
        misses=misses,
        prior=WIDENED * prior,
        spread=spread,
        signature=Signature(
            "prediction corrected by judgements",
            (
                *prediction.signature.options,
                f"{judged} of {misses} judged",
                f"shrunk to the prediction, τ × {WIDENED:g} in the interval",
            ),
            prediction.signature.judgements,
            prediction.signature.sentences,
        ),
    )


@dataclass(frozen=True, eq=False)
class Differences:
    """Observed minus predicted wins and losses in n misses, which are `rows` of the prediction.

    `decided` are the observed decided comparisons. All are scaled to the comparisons of the miss,
    because the judgements of it may be more or fewer than those that the prediction counts.
    """

    rows: Rows
    wins: Floats
    losses: Floats
    decided: Floats


def of_misses(prediction: Prediction, observed: Observed) -> Differences:
    """Compare the observed segments that are misses with the prediction."""
    misses = prediction.misses
    _common, rows, places = np.intersect1d(
        misses.segments, observed.segments, assume_unique=True, return_indices=True
    )
    scale = misses.comparisons[rows] / observed.comparisons[places]
    wins, losses = observed.wins[places] * scale, observed.losses[places] * scale
    return Differences(rows, wins - misses.wins[rows], losses - misses.losses[rows], wins + losses)


def _within(value: float, half: float) -> Estimate:
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))

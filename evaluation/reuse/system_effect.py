"""What texts cannot tell of a system, measured where people judged it, for use on other texts.

A prediction from texts and from judgements of other systems is too good for some systems and too
bad for others, by about the same share of their misses on all texts (correlation .9 between the
halves of the thesis' data). So the effect of a system, or of a near version of it, on judged texts
corrects the prediction on others. It is never applied by default: pages name where it comes from.
"""

from dataclasses import dataclass

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.reuse.correction import FEWEST_JUDGED, Observed, of_misses
from evaluation.reuse.prediction import Prediction
from evaluation.stats.estimates import Estimate, Signature, sign
from evaluation.stats.resampling import FEWEST_SENTENCES
from evaluation.stats.two_way import t_quantile


@dataclass(frozen=True)
class SystemEffect:
    """Net wins of a system above those predicted, for each decided comparison in its misses.

    `effect` is the real minus the predicted score, divided by the share of misses;
    `standard_error` is over sentences. `decided` comparisons in `segments` of `sentences` were
    observed.
    """

    system: str
    effect: float
    standard_error: float
    decided: float
    segments: int
    sentences: int
    signature: Signature


@dataclass(frozen=True)
class CarriedOver:
    """A prediction corrected by the effect of a system that was judged on other texts.

    `weight` is that of the effect: below 1 if it is uncertain compared with effects of systems.
    """

    system: str
    judged_system: str
    score: Estimate
    weight: float
    rank: int
    best_rank: int
    worst_rank: int
    signature: str


def measure_effect(prediction: Prediction, observed: Observed) -> SystemEffect:
    """Return the effect of a system from judgements of all, or of a random part of, its misses.

    Raises InputError for fewer than FEWEST_JUDGED segments or FEWEST_SENTENCES sentences.
    """
    found = of_misses(prediction, observed)
    sentences = prediction.misses.sentences[found.rows]
    count = len(np.unique(sentences))
    if len(found.rows) < FEWEST_JUDGED or count < FEWEST_SENTENCES or not found.decided.sum():
        raise InputError(
            _(
                "The effect of “%(system)s” needs judgements of its own candidates in at least "
                "%(least)d sentences, but there are %(count)d. Judge more segments."
            ),
            system=prediction.system,
            least=FEWEST_SENTENCES,
            count=count,
        )
    part = len(prediction.misses) / len(found.rows)
    won = prediction.wins + prediction.misses.wins.sum() + part * found.wins.sum()
    lost = prediction.losses + prediction.misses.losses.sum() + part * found.losses.sum()
    score = won / (won + lost)
    net = (1 - score) * found.wins - score * found.losses
    decided = float(found.decided.sum())
    effect = float(net.sum() / decided)
    by_sentence = np.bincount(sentences, net - effect * found.decided)
    variance = count / (count - 1) * (by_sentence**2).sum() / decided**2
    return SystemEffect(
        system=prediction.system,
        effect=effect,
        standard_error=float(np.sqrt(variance)),
        decided=decided,
        segments=len(found.rows),
        sentences=count,
        signature=Signature(
            "effect of the system",
            (*prediction.signature.options, f"{len(found.rows)} judged in {count} sentences"),
            prediction.signature.judgements,
            prediction.signature.sentences,
        ),
    )


def carry_over(prediction: Prediction, effect: SystemEffect) -> CarriedOver:
    """Correct a prediction on other texts by the effect of the same or a near system.

    The interval has the error of the effect and that of the new texts, by the scatter of the judged
    ones. It has no part for a system that changed between the two. Raises InputError for an
    undefined prediction.
    """
    if prediction.score.value is None:
        raise InputError(
            _("“%(system)s” has no prediction: %(reason)s."),
            system=prediction.system,
            reason=prediction.score.undefined,
        )
    error, share = effect.standard_error**2, prediction.share
    together = prediction.deviation**2 + error
    weight = prediction.deviation**2 / together if together else 1.0
    score = prediction.score.value + weight * effect.effect * share
    decided = share * prediction.decided
    # As many sentences as were judged have this error, and more have less.
    sampling = error * effect.decided / decided if decided else 0.0
    half = t_quantile(effect.sentences - 1) * share * float(np.sqrt(weight * error + sampling))
    low, high = max(0.0, score - half), min(1.0, score + half)
    rank, best, worst = prediction.placed(score, low, high)
    return CarriedOver(
        system=prediction.system,
        judged_system=effect.system,
        score=Estimate(score, low, high),
        weight=float(weight),
        rank=rank,
        best_rank=best,
        worst_rank=worst,
        signature=sign(
            "prediction with a carried-over effect",
            (*prediction.signature.options, f"effect from {effect.segments} segments"),
            prediction.signature.judgements,
            prediction.signature.sentences,
        ),
    )

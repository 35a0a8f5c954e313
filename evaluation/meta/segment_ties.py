"""Agreement of a metric with people on pairs of scores, where ties of both count.

`tau_b`, τ23 and acc23 (acc_eq) compare scores of people with those of a metric, within groups:
"item" compares the systems of each segment, "sys" the segments of each system, "none" everything.
A metric with real numbers never ties, so acc_eq calls a metric's scores tied if they differ by at
most ε. `calibrate` finds the best ε exactly: it need not look at samples of the pairs.
Sources: Kendall (1945), "The treatment of ties in ranking problems"; Deutsch, Foster & Freitag
(2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.estimates import sign as signature_of
from evaluation.stats.resampling import (
    CORRELATION,
    SHARE,
    Bounds,
    Floats,
    resampled_sums,
    with_interval,
)

Grouping = Literal["item", "sys", "none"]
NO_INTERVAL: Final = "only figures by segment have an interval"
# Decimal places to which accuracies are compared: sums of shares have rounding errors.
PLACES: Final = 12
# Values of ε in memory: 256 MiB.
MOST_THRESHOLDS: Final = 1 << 25


class NoAgreement(Enum):
    """Why a figure is undefined."""

    NO_PAIRS = "no group has two scores of both people and the metric"
    CONSTANT = "people or the metric tie everything in each group"


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Pairs of scores by their order, counted by group (G each).

    `concordant` and `discordant` pairs are tied by neither; `human_ties` by people only,
    `metric_ties` by the metric only, `both_tied` by both.
    """

    concordant: Floats
    discordant: Floats
    human_ties: Floats
    metric_ties: Floats
    both_tied: Floats

    @property
    def pairs(self) -> Floats:
        untied = self.concordant + self.discordant
        return untied + self.human_ties + self.metric_ties + self.both_tied

    @property
    def tau_b(self) -> Floats:
        """(C - D) / √(pairs untied by people · pairs untied by the metric); NaN if 0 / 0."""
        untied = self.concordant + self.discordant
        below = np.sqrt((untied + self.metric_ties) * (untied + self.human_ties))
        return _divided(self.concordant - self.discordant, below)

    @property
    def acc_23(self) -> Floats:
        """The share of pairs on which both agree, tied ones too; NaN without any."""
        return _divided(self.concordant + self.both_tied, self.pairs)


@dataclass(frozen=True)
class Agreement:
    """A figure averaged over the groups in which it is defined.

    `left_out` counts the groups in which it is not, and `missing` the scores of people that the
    metric lacks: no pair has them.
    """

    estimate: Estimate
    groups: int
    left_out: int
    missing: int
    signature: str


@dataclass(frozen=True)
class TieCalibration:
    """acc_eq with the ε that makes it highest, the smallest of these; `epsilon` is None without.

    `uncalibrated` is acc_eq with ε = 0. The ε is fitted to these scores, so `calibrated` is higher
    than acc_eq with this ε on other segments will be on average.
    """

    epsilon: float | None
    calibrated: Agreement
    uncalibrated: Agreement


def count_pairs(
    human: ArrayLike, metric: ArrayLike, grouping: Grouping = "item", *, epsilon: float = 0.0
) -> PairCounts:
    """Count the pairs of each group; scores are systems × segments, NaN if missing.

    The metric's scores are tied if they differ by at most ε. Pairs without one of the four scores
    are left out. Time grows with the square of a group: 33,033 scores in one group take seconds.
    Raises ValueError if the shapes differ or a score is infinite.
    """
    people, scores = paired_groups(human, metric, grouping)
    counts = np.zeros((5, people.shape[1]))
    for human_difference, difference in _differences(people, scores):
        known = ~np.isnan(difference)
        human_tied, tied = human_difference == 0, np.abs(difference) <= epsilon
        agree = (human_difference > 0) == (difference > 0)
        untied = known & ~human_tied & ~tied
        for row, chosen in zip(
            counts,
            (
                untied & agree,
                untied & ~agree,
                known & human_tied & ~tied,
                known & ~human_tied & tied,
                known & human_tied & tied,
            ),
            strict=True,
        ):
            row += np.count_nonzero(chosen, axis=0)
    return PairCounts(*counts)


def tau_b(
    human: ArrayLike,
    metric: ArrayLike,
    grouping: Grouping = "item",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the mean τ-b of the groups; those in which all is tied are left out.

    For the scores see `count_pairs`. The interval is of resampled segments.
    """
    if grouping == "item":
        values = count_pairs(human, metric, grouping).tau_b
    else:
        values = _sorted_tau_b(*paired_groups(human, metric, grouping))
    return agreement_of(
        "Kendall's τ-b",
        values,
        (human, metric, grouping),
        bounds=CORRELATION,
        resamples=resamples,
        seed=seed,
    )


def acc_eq(
    human: ArrayLike,
    metric: ArrayLike,
    grouping: Grouping = "item",
    *,
    epsilon: float = 0.0,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the mean share of the pairs of a group that are ordered, or tied, as by people.

    For the scores and ε see `count_pairs`. The interval is of resampled segments, with ε fixed.
    """
    return agreement_of(
        "acc_eq",
        count_pairs(human, metric, grouping, epsilon=epsilon).acc_23,
        (human, metric, grouping),
        options=(f"ε {epsilon:.6g}",),
        bounds=SHARE,
        resamples=resamples,
        seed=seed,
    )


def calibrate(
    human: ArrayLike,
    metric: ArrayLike,
    grouping: Grouping = "item",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> TieCalibration:
    """Return acc_eq with the ε that makes the mean over groups highest, and with ε = 0.

    For the scores see `count_pairs`. Raises ValueError also if people tie more than 2²⁵ pairs.
    """

    def agreement(epsilon: float) -> Agreement:
        return acc_eq(human, metric, grouping, epsilon=epsilon, resamples=resamples, seed=seed)

    epsilon = best_epsilon(human, metric, grouping)
    calibrated = agreement(epsilon or 0.0)
    return TieCalibration(epsilon, calibrated, agreement(0.0) if epsilon else calibrated)


def best_epsilon(human: ArrayLike, metric: ArrayLike, grouping: Grouping = "item") -> float | None:
    """Return the smallest ε with the highest mean acc_eq of the groups; None without pairs.

    As ε grows, accuracy rises at the differences of pairs that people tie and falls at those of
    concordant pairs; others change nothing. So the best ε is 0 or a difference of the former.
    """
    people, scores = paired_groups(human, metric, grouping)
    thresholds = _thresholds(
        np.abs(difference[(human_difference == 0) & ~np.isnan(difference)])
        for human_difference, difference in _differences(people, scores)
    )
    accuracies = _accuracies(people, scores, thresholds)
    if np.isnan(accuracies[0]):
        return None
    return float(thresholds[np.argmax(np.round(accuracies, PLACES))])


def grouped(scores: ArrayLike, grouping: Grouping) -> Floats:
    """Return systems × segments as members × groups."""
    matrix = np.asarray(scores, dtype=np.float64)
    if grouping == "item":
        return matrix
    return matrix.T if grouping == "sys" else matrix.reshape(-1, 1)


def _mean_of_groups(
    values: Floats,
    grouping: Grouping,
    bounds: Bounds,
    *,
    undefined: NoAgreement,
    resamples: int,
    seed: int,
) -> Estimate:
    """Return the mean of the values (one a group) that are not NaN, and its interval.

    There is an interval if groups are segments: these are resampled. `undefined` says why there is
    no mean if all values are NaN.
    """
    defined = ~np.isnan(values)
    if not defined.any():
        return Estimate(None, undefined=undefined.value)
    value = float(values[defined].mean())
    if grouping != "item":
        return Estimate(value, no_interval=NO_INTERVAL)
    count = int(np.count_nonzero(defined))
    sums = resampled_sums(values[defined][:, None], resamples=resamples, seed=seed)
    return with_interval(value, sums[:, 0] / count, count, bounds)


def agreement_of(
    method: str,
    values: Floats,
    scores: tuple[ArrayLike, ArrayLike, Grouping],
    *,
    options: tuple[str, ...] = (),
    bounds: Bounds,
    resamples: int,
    seed: int,
) -> Agreement:
    """Return the mean of the values (one a group, NaN if undefined), and what they are of.

    `scores` are of people and of the metric, systems × segments, with their grouping; `options` go
    into the signature.
    """
    human, metric, grouping = scores
    scored, known = ~np.isnan(np.asarray(human, float)), ~np.isnan(np.asarray(metric, float))
    defined, size = int(np.count_nonzero(~np.isnan(values))), int(np.count_nonzero(scored))
    several = np.count_nonzero(grouped(scored & known, grouping), axis=0) > 1
    resampling = (f"{resamples} resamples of segments", f"seed {seed}")
    return Agreement(
        _mean_of_groups(
            values,
            grouping,
            bounds,
            undefined=NoAgreement.CONSTANT if several.any() else NoAgreement.NO_PAIRS,
            resamples=resamples,
            seed=seed,
        ),
        defined,
        len(values) - defined,
        int(np.count_nonzero(scored & ~known)),
        signature_of(
            method,
            (f"grouped by {grouping}", *options, *(resampling if grouping == "item" else ())),
            size,
            int(np.count_nonzero(scored.any(axis=0))),
        ),
    )


def _sorted_tau_b(people: Floats, scores: Floats) -> Floats:
    """Return τ-b of each group by sorting, because large groups have millions of pairs."""
    from scipy.stats import kendalltau

    known = ~(np.isnan(people) | np.isnan(scores))
    return np.array(
        [
            kendalltau(human[those], metric[those]).statistic if those.sum() > 1 else np.nan
            for human, metric, those in zip(people.T, scores.T, known.T, strict=True)
        ]
    )


def paired_groups(human: ArrayLike, metric: ArrayLike, grouping: Grouping) -> tuple[Floats, Floats]:
    """Return scores of people and of a metric as members × groups.

    Raises ValueError if the shapes differ or a score is infinite.
    """
    people, scores = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if people.shape != scores.shape or people.ndim != 2:
        raise ValueError("Scores of people and of the metric must both be systems × segments.")
    if np.isinf(people).any() or np.isinf(scores).any():
        raise ValueError("Scores must be finite; missing ones are NaN.")
    return grouped(people, grouping), grouped(scores, grouping)


def _differences(people: Floats, scores: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yield differences of all pairs of members, by people and by the metric, in parts (… × G).

    Those by the metric are NaN if any of the four scores is missing.
    """
    for member in range(len(people) - 1):
        human = people[member] - people[member + 1 :]
        difference = scores[member] - scores[member + 1 :]
        difference[np.isnan(human)] = np.nan
        yield human, difference


def _thresholds(differences: Iterable[NDArray[np.float64]]) -> Floats:
    """Return 0 and the distinct differences, ascending."""
    parts, count = [np.zeros(1)], 0
    for part in differences:
        parts.append(part)
        count += len(part)
        if count > MOST_THRESHOLDS:
            raise ValueError("There are too many pairs: group them, or take fewer segments.")
    return np.unique(np.concatenate(parts))


def _accuracies(people: Floats, scores: Floats, thresholds: Floats) -> Floats:
    """Return the mean acc_eq of the groups at each ε; NaN if no group has pairs."""
    pairs = np.zeros(people.shape[1])
    for _, difference in _differences(people, scores):
        pairs += np.count_nonzero(~np.isnan(difference), axis=0)
    if not pairs.any():
        return np.full(len(thresholds), np.nan)
    # Whole numbers if all groups are of one size: then sums of them are exact.
    weights = np.divide(pairs.max(), pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    right, changes = 0.0, np.zeros(len(thresholds) + 1)
    for human, difference in _differences(people, scores):
        of_pairs = np.broadcast_to(weights, difference.shape)
        with np.errstate(invalid="ignore"):
            concordant = (difference != 0) & (np.sign(difference) == np.sign(human))
        tied = (human == 0) & ~np.isnan(difference)
        right += float(of_pairs[concordant].sum())
        for chosen, sign in ((concordant, -1), (tied, 1)):
            # From this ε on, the metric ties the pair.
            places = np.searchsorted(thresholds, np.abs(difference[chosen]))
            np.add.at(changes, places, sign * of_pairs[chosen])
    return np.asarray((right + np.cumsum(changes[:-1])) / (pairs.max() * np.count_nonzero(pairs)))


def _divided(part: Floats, whole: Floats) -> Floats:
    quotients = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=quotients, where=whole > 0)
    return quotients

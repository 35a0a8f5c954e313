"""Intervals of system-level results, named by what was resampled.

- *sentences*: judgements and metric scores of the same resampled sentences. Comparisons of one
  sentence are not independent, so this is the honest interval for other sentences.
- *comparisons*: human comparisons resampled one by one, metrics fixed. So are the published
  intervals of the WMT metrics tasks; they are about half as wide.
- *systems*: for other systems (Mathur 2021, Figure 6.7). Over few systems it is very wide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.resampling import (
    ALL_EQUAL,
    ALL_UNDEFINED,
    UNBOUNDED,
    Bounds,
    Floats,
    interval,
    middle,
)
from evaluation.stats.wins import KINDS, SentenceWins, Wins

ResampledUnit = Literal["sentences", "comparisons", "systems"]

# Fewer units give resamples that are too similar for a 95 % interval.
FEWEST_UNITS: Final = 10
NO_RESAMPLES: Final = "there are no resamples"
FEW_SYSTEMS: Final = "fewer than 10 systems: intervals for other systems say next to nothing"


@dataclass(frozen=True)
class Interval:
    """The 95 % interval of a figure, and of what it is: `units` of them were resampled.

    `low` and `high` are None if there is none; `reason` says why. `undefined` of the resamples have
    no value. `caution` says why the interval should not be relied on; empty if it can be.
    """

    low: float | None
    high: float | None
    resampled: ResampledUnit
    units: int
    resamples: int
    seed: int
    undefined: int = 0
    reason: str = ""
    caution: str = ""

    @property
    def half_width(self) -> float | None:
        """Half the length, which the WMT tables print after ±."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, eq=False)
class ResampledScores:
    """System scores in B resamples of sentences or of comparisons.

    `human` is B × N; `scores` is B × M × N if metrics were resampled too, M × N if they are fixed.
    `units` counts the sentences, or the comparisons.
    """

    resampled: Literal["sentences", "comparisons"]
    units: int
    seed: int
    human: Floats
    scores: Floats


def few_systems(systems: int) -> str:
    """Return why an interval for other systems is worthless; empty if there are enough systems."""
    return FEW_SYSTEMS if systems < FEWEST_UNITS else ""


def resample_comparisons(wins: SentenceWins, *, resamples: int, seed: int) -> Wins:
    """Return a table of wins for each of B resamples of single comparisons.

    It takes the place of `SentenceWins.resampled`, which resamples sentences: scores of systems are
    computed from both in the same way.
    """
    won, lost, tied, same = np.split(wins.counts.sum(axis=0), KINDS)
    # Ties of systems with one text are among the ties.
    outcomes = np.concatenate([won, lost, tied - same, same])
    total = int(outcomes.sum())
    sums = np.zeros((resamples, len(outcomes)))
    if total:
        random = np.random.default_rng(seed)
        sums += random.multinomial(total, outcomes / total, size=resamples)
    pairs = len(won)
    sums[:, 2 * pairs : 3 * pairs] += sums[:, 3 * pairs :]
    return wins.tables(sums)


def resample_human_scores(
    wins: SentenceWins,
    score: Callable[[Wins], Floats],
    scores: Floats,
    *,
    of_resampled_sentences: Floats | None = None,
    resamples: int,
    seed: int,
) -> tuple[ResampledScores, ResampledScores]:
    """Return system scores from judgements with resampled sentences, and resampled comparisons.

    `score` computes them from tables of wins, such as `expected_wins`; `scores` M × N are those of
    metrics. If metrics can be computed for resampled sentences, `of_resampled_sentences` B × M × N
    are their scores from `resampled_sums` with the same seed and sentences.
    """
    if of_resampled_sentences is None:
        of_resampled_sentences = scores
    by_sentence = score(wins.resampled(resamples=resamples, seed=seed))
    by_comparison = score(resample_comparisons(wins, resamples=resamples, seed=seed))
    comparisons = int(wins.total().compared.sum()) // 2
    return (
        ResampledScores("sentences", len(wins.counts), seed, by_sentence, of_resampled_sentences),
        ResampledScores("comparisons", comparisons, seed, by_comparison, scores),
    )


def resample_systems(systems: int, *, resamples: int, seed: int) -> NDArray[np.int64]:
    """Return which of N systems are in each resample, B × N."""
    return np.random.default_rng(seed).integers(0, systems, (resamples, systems))


def interval_of(values: Floats, of: ResampledScores, bounds: Bounds = UNBOUNDED) -> Interval:
    """Return the interval of a figure from its values in B resamples of sentences or comparisons.

    The percentiles are corrected for few units, and undefined resamples widen the interval, as in
    `evaluation.stats.resampling.interval`; an end is within the bounds of the figure.
    """
    reason, low, high = "", float("nan"), float("nan")
    if of.units < FEWEST_UNITS:
        reason = f"the figure comes from fewer than {FEWEST_UNITS} {of.resampled}"
    elif not len(values):
        reason = NO_RESAMPLES
    else:
        low, high = np.clip(interval(values, of.units), *bounds)
        if np.isnan(low):
            reason = ALL_UNDEFINED
        elif low == high:
            reason = ALL_EQUAL
    return Interval(
        low=None if reason else float(low),
        high=None if reason else float(high),
        resampled=of.resampled,
        units=of.units,
        resamples=len(values),
        seed=of.seed,
        undefined=int(np.isnan(values).sum()),
        reason=reason,
    )


def interval_of_systems(values: Floats, *, systems: int, seed: int) -> Interval:
    """Return the interval of a correlation from its values in B resamples of systems.

    The plain 2.5th and 97.5th percentiles of the defined values, as in Mathur's figure, with a
    caution if there are few systems.
    """
    defined = values[np.isfinite(values)]
    reason = "" if len(defined) else ALL_UNDEFINED if len(values) else NO_RESAMPLES
    low, high = (None, None) if reason else middle(defined)
    return Interval(
        low=low,
        high=high,
        resampled="systems",
        units=systems,
        resamples=len(values),
        seed=seed,
        undefined=len(values) - len(defined),
        reason=reason,
        caution=few_systems(systems),
    )

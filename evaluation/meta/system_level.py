"""How well metrics rank systems: correlation with people, with and without outlier systems.

One call gives, for each metric, Pearson's r, Spearman's ρ, Kendall's τ-b, pairwise accuracy and,
from segment scores, soft pairwise accuracy; Williams' test between all metrics and the winners; and
intervals, each named by what was resampled. A metric that lacks a score of a compared system has no
figure there, and says so.
Source: Mathur (2021), chapter 6; the WMT metrics tasks.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.meta.correlation import (
    CORRELATIONS,
    STATISTICS,
    Statistic,
    agreeing_pairs,
    is_constant,
)
from evaluation.meta.intervals import (
    Interval,
    ResampledScores,
    interval_of,
    interval_of_systems,
    resample_systems,
)
from evaluation.meta.outliers import CUTOFF, Outliers, listed_outliers, mad_outliers
from evaluation.meta.soft_accuracy import SegmentScores, SoftAccuracies, soft_pairwise_accuracy
from evaluation.meta.system_scores import SystemScores
from evaluation.meta.williams import WilliamsTests, compare_metrics
from evaluation.meta.windows import Windows, rolling_windows
from evaluation.stats.estimates import VERSION
from evaluation.stats.resampling import CORRELATION, FEWEST_SENTENCES, SHARE, Bounds, Floats

# Over two systems, a correlation is 1 or -1 with any metric.
FEWEST_SYSTEMS: Final = 3
# As in Mathur (2021), section 6.5.
WINDOW: Final = 4
LACKS_SCORES: Final = "the metric lacks a score of a compared system"
LACKS_SEGMENT_SCORES: Final = "the metric lacks a score of a segment"
TOO_FEW_SYSTEMS: Final = "fewer than 3 systems"
NO_PAIRS: Final = "fewer than 2 systems"
CONSTANT_METRIC: Final = "the metric gives all systems the same score"
CONSTANT_HUMAN: Final = "people give all systems the same score"
NO_SEGMENT_SCORES: Final = "there are no segment scores"
FEW_COMMON_SENTENCES: Final = (
    f"people judged fewer than {FEWEST_SENTENCES} sentences for all of these systems"
)
NOT_IN_ALL: Final = "the metric has no accuracy for one of the pooled sets of systems"


@dataclass(frozen=True)
class Figure:
    """A figure with its intervals; `value` is None if it is undefined, and `undefined` says why."""

    value: float | None
    undefined: str = ""
    intervals: tuple[Interval, ...] = ()

    def interval(self, resampled: str) -> Interval | None:
        """Return the interval of this name, such as "sentences", if there is one."""
        return next((found for found in self.intervals if found.resampled == resampled), None)


@dataclass(frozen=True)
class MetricFigures:
    """The figures of one metric over one set of systems.

    `agreeing` of the `pairs` of systems are in the order that people give them; None if the metric
    `lacks` scores of systems.
    """

    metric: str
    pearson: Figure
    spearman: Figure
    kendall: Figure
    accuracy: Figure
    soft_accuracy: Figure
    agreeing: int | None
    pairs: int
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SystemSet:
    """Results over one set of systems: all, or those that are no outliers.

    `soft` has the p-values of soft accuracy; None without segment scores.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricFigures, ...]
    williams: WilliamsTests
    soft: SoftAccuracies | None = None

    def __getitem__(self, metric: str) -> MetricFigures:
        return next(figures for figures in self.metrics if figures.metric == metric)

    @property
    def by_r(self) -> list[int]:
        """The places of the metrics by falling r, those without r last."""
        r = np.nan_to_num(self.williams.pearson, nan=-2.0)
        return [int(place) for place in np.argsort(-r, kind="stable")]


@dataclass(frozen=True, eq=False)
class SystemLevel:
    """Results with all systems, and without outliers; None if there is no outlier.

    `windows` has r among WINDOW systems whose ranks by people are neighbours: a metric that agrees
    over all systems can fail among near ones.
    """

    outliers: Outliers
    all_systems: SystemSet
    without_outliers: SystemSet | None
    windows: Windows
    signature: str


@dataclass(frozen=True)
class PooledAccuracy:
    """Pairwise accuracy over the pairs of several sets of systems, such as language pairs."""

    metric: str
    agreeing: int
    pairs: int
    value: float | None
    undefined: str = ""


def evaluate_systems(
    scores: SystemScores,
    *,
    outliers: Collection[str] | None = None,
    cutoff: float = CUTOFF,
    segments: SegmentScores | None = None,
    soft_draws: int = 1000,
    resampled: Sequence[ResampledScores] = (),
    resamples_of_systems: int = 0,
    seed: int = 0,
) -> SystemLevel:
    """Return how well metrics agree with people about systems.

    Outliers are found by MAD (`cutoff`) unless their names are given. `segments` are scores of the
    same systems and metrics, for soft accuracy with `soft_draws`. Each of `resampled` gives every
    figure an interval, and so do `resamples_of_systems`, for correlations only: a resample compares
    systems with themselves, which inflates accuracies. Outliers stay those of the scores themselves
    in all resamples. Raises ValueError for an unknown outlier, and if other arguments do not fit
    the scores.
    """
    _check(scores, segments, resampled)
    found = (
        mad_outliers(scores.systems, scores.human, cutoff=cutoff)
        if outliers is None
        else listed_outliers(scores.systems, scores.human, outliers)
    )
    every = np.ones(len(scores.systems), dtype=np.bool_)
    others = np.array([name not in found.names for name in scores.systems], dtype=np.bool_)
    options = (segments, soft_draws, tuple(resampled), resamples_of_systems, seed)
    parts = [
        str(found),
        *(
            f"{of.resampled} {len(of.human)}, seed {of.seed}, "
            f"{'people and metrics' if of.scores.ndim == 3 else 'people'}"
            for of in resampled
        ),
    ]
    if resamples_of_systems:
        parts.append(f"systems {resamples_of_systems}, seed {seed}")
    sizes = (f"systems {len(scores.systems)}", f"metrics {len(scores.metrics)}")
    all_systems = _evaluate(scores, every, *options)
    if all_systems.soft is not None:
        parts.append(str(all_systems.soft))
    return SystemLevel(
        outliers=found,
        all_systems=all_systems,
        without_outliers=_evaluate(scores, others, *options) if found.names else None,
        windows=rolling_windows(scores, size=WINDOW),
        signature="|".join(("system level", *parts, *sizes, f"SegRanks {VERSION}")),
    )


def pool_accuracy(sets: Iterable[SystemSet], metric: str) -> PooledAccuracy:
    """Return the accuracy of a metric over all pairs of all sets (Kocmi et al. 2021).

    It is undefined if the metric has no accuracy in one of them, so that pooled metrics are
    compared on the same pairs.
    """
    agreeing, pairs, complete = 0, 0, True
    for found in sets:
        figures = next((one for one in found.metrics if one.metric == metric), None)
        if figures is None or figures.agreeing is None:
            complete = False
            continue
        agreeing, pairs = agreeing + figures.agreeing, pairs + figures.pairs
    if not complete:
        return PooledAccuracy(metric, agreeing, pairs, None, NOT_IN_ALL)
    if not pairs:
        return PooledAccuracy(metric, agreeing, pairs, None, NO_PAIRS)
    return PooledAccuracy(metric, agreeing, pairs, agreeing / pairs)


def _check(
    scores: SystemScores, segments: SegmentScores | None, resampled: Sequence[ResampledScores]
) -> None:
    shape = scores.scores.shape
    if segments and (segments.metrics, len(segments.human)) != (scores.metrics, shape[1]):
        raise ValueError("Segment scores must be those of the same systems and metrics.")
    for of in resampled:
        if of.human.shape[1:] != shape[1:] or of.scores.shape[-2:] != shape:
            raise ValueError("Resampled scores must be those of the same systems and metrics.")


def _evaluate(
    scores: SystemScores,
    chosen: NDArray[np.bool_],
    segments: SegmentScores | None,
    soft_draws: int,
    resampled: Sequence[ResampledScores],
    resamples_of_systems: int,
    seed: int,
) -> SystemSet:
    these = scores.select(chosen)
    soft = soft_pairwise_accuracy(segments.select(chosen), draws=soft_draws) if segments else None
    systems = len(these.systems)
    missing = np.isnan(these.scores)
    # Values in resamples of each statistic, B × M, and how they become an interval.
    of_systems: dict[Statistic, Floats] = {}
    if resamples_of_systems and systems:
        picked = resample_systems(systems, resamples=resamples_of_systems, seed=seed)
        human = these.human[picked][:, None, :]
        metrics = np.moveaxis(these.scores[:, picked], 0, 1)
        of_systems = {
            name: CORRELATIONS[name](human, metrics) for name in STATISTICS if name != "accuracy"
        }
    by_unit = [
        (
            of,
            {
                name: CORRELATIONS[name](of.human[:, None, chosen], of.scores[..., chosen])
                for name in STATISTICS
            },
        )
        for of in resampled
    ]
    values = {name: CORRELATIONS[name](these.human, these.scores) for name in STATISTICS}

    def figure(name: Statistic, metric: int) -> Figure:
        reason = _why_undefined(name, these, metric)
        if reason:
            return Figure(None, reason)
        bounds: Bounds = SHARE if name == "accuracy" else CORRELATION
        intervals = [interval_of(of_unit[name][:, metric], of, bounds) for of, of_unit in by_unit]
        if name in of_systems:
            intervals.append(
                interval_of_systems(of_systems[name][:, metric], systems=systems, seed=seed)
            )
        return Figure(float(values[name][metric]), intervals=tuple(intervals))

    agreeing = agreeing_pairs(these.human, these.scores)
    return SystemSet(
        systems=these.systems,
        metrics=tuple(
            MetricFigures(
                metric=name,
                pearson=figure("pearson", row),
                spearman=figure("spearman", row),
                kendall=figure("kendall", row),
                accuracy=figure("accuracy", row),
                soft_accuracy=_soft_accuracy(soft, row),
                agreeing=None if missing[row].any() else int(agreeing[row]),
                pairs=systems * (systems - 1) // 2,
                lacks=tuple(
                    system for system, gap in zip(these.systems, missing[row], strict=True) if gap
                ),
            )
            for row, name in enumerate(these.metrics)
        ),
        williams=compare_metrics(these.metrics, these.human, these.scores),
        soft=soft,
    )


def _why_undefined(name: Statistic, these: SystemScores, metric: int) -> str:
    """Return why a metric has no such figure; empty if it has one."""
    if np.isnan(these.scores[metric]).any():
        return LACKS_SCORES
    if name == "accuracy":
        return NO_PAIRS if len(these.systems) < 2 else ""
    if len(these.systems) < FEWEST_SYSTEMS:
        return TOO_FEW_SYSTEMS
    if is_constant(these.human):
        return CONSTANT_HUMAN
    return CONSTANT_METRIC if is_constant(these.scores[metric]) else ""


def _soft_accuracy(soft: SoftAccuracies | None, metric: int) -> Figure:
    if soft is None:
        return Figure(None, NO_SEGMENT_SCORES)
    if soft.systems < 2:
        return Figure(None, NO_PAIRS)
    if soft.segments < FEWEST_SENTENCES:
        return Figure(None, FEW_COMMON_SENTENCES)
    value = float(soft.values[metric])
    return Figure(None, LACKS_SEGMENT_SCORES) if np.isnan(value) else Figure(value)

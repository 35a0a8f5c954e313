"""Pearson's correlation of a metric with scores of segments by people, such as assessments.

Groups: "item" correlates the systems of each segment, "sys" the segments of each system, "none"
all scores. Source: Bojar et al. (2017), "Results of the WMT17 Metrics Shared Task", section 3.2.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.meta.segment_ties import Agreement, Grouping, agreement_of, paired_groups
from evaluation.stats.resampling import CORRELATION, Floats, resampled_sums, with_interval

# Sums over scores: their number, x, y, x², y², xy.
SUMS: Final = 6


def pearson(
    human: ArrayLike,
    metric: ArrayLike,
    grouping: Grouping = "none",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the mean r of the groups in which both vary; scores are systems × segments.

    NaN is a missing score. The interval is of resampled segments. Raises ValueError if the shapes
    differ or a score is infinite.
    """
    values = _correlations(*paired_groups(human, metric, grouping))
    resampling = (f"{resamples} resamples of segments", f"seed {seed}")
    found = agreement_of(
        "Pearson's r of segments",
        values,
        (human, metric, grouping),
        # Those of single segments are named anyway.
        options=() if grouping == "item" else resampling,
        bounds=CORRELATION,
        resamples=resamples,
        seed=seed,
    )
    value = found.estimate.value
    if grouping == "item" or value is None:
        return found
    people, scores = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    again = _resampled(people, scores, grouping, resamples=resamples, seed=seed)
    segments = int(np.count_nonzero((~np.isnan(people) & ~np.isnan(scores)).any(axis=0)))
    return replace(found, estimate=with_interval(value, again, segments, CORRELATION))


def _correlations(people: Floats, scores: Floats) -> Floats:
    """Return r of each group (column); NaN where fewer than two vary."""
    missing = np.isnan(people) | np.isnan(scores)
    x, y = np.where(missing, np.nan, people), np.where(missing, np.nan, scores)
    count = np.maximum(1, np.count_nonzero(~missing, axis=0))
    # Before means are subtracted: rounding errors must not make a constant vary.
    varies = [
        np.where(missing, -np.inf, each).max(axis=0, initial=-np.inf)
        > np.where(missing, np.inf, each).min(axis=0, initial=np.inf)
        for each in (x, y)
    ]
    x, y = (np.nan_to_num(each - np.nansum(each, axis=0) / count) for each in (x, y))
    values = np.full(people.shape[1], np.nan)
    below = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    np.divide((x * y).sum(axis=0), below, out=values, where=varies[0] & varies[1] & (below > 0))
    return values


def _resampled(
    people: Floats, scores: Floats, grouping: Grouping, *, resamples: int, seed: int
) -> Floats:
    """Return the mean r of the groups in each resample of the segments, from sums by segment."""
    known = ~(np.isnan(people) | np.isnan(scores))
    # Scaled, so that sums of squares lose no digits.
    x, y = (_standardised(each, known) for each in (people, scores))
    sums = np.stack([known, x, y, x**2, y**2, x * y], axis=2)
    if grouping == "none":
        sums = sums.sum(axis=0, keepdims=True)
    used = known.any(axis=0)
    by_segment = sums.swapaxes(0, 1)[used].reshape(int(used.sum()), -1)
    again = resampled_sums(by_segment, resamples=resamples, seed=seed)
    n, sx, sy, sxx, syy, sxy = np.moveaxis(again.reshape(resamples, -1, SUMS), 2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.maximum(sxx - sx**2 / n, 0) * np.maximum(syy - sy**2 / n, 0)
        r = np.where(spread > 0, (sxy - sx * sy / n) / np.sqrt(spread), np.nan)
    defined = ~np.isnan(r)
    means = np.full(resamples, np.nan)
    sums_of_r = np.where(defined, r, 0).sum(axis=1)
    np.divide(sums_of_r, defined.sum(axis=1), out=means, where=defined.any(axis=1))
    return np.asarray(np.clip(means, -1, 1))


def _standardised(scores: Floats, known: NDArray[np.bool_]) -> Floats:
    values = scores[known]
    spread = values.std() if len(values) else 0.0
    centre = values.mean() if len(values) else 0.0
    return np.asarray(np.where(known, (scores - centre) / (spread or 1.0), 0.0))

"""Pearson's correlation of a metric with scores of segments by people, such as assessments.

Groups: "item" correlates the systems of each segment, "sys" the segments of each system, "none"
all scores. Source: Bojar et al. (2017), "Results of the WMT17 Metrics Shared Task", section 3.2.

Differences between translations of one segment are correlated over all segments: how difficult a
segment is for all systems has no influence, and large differences count more than small ones.
Source: DiIanni & Deutsch (2025), "Don't Sweat the Small Stuff: Segment-Level Meta-Evaluation Based
on Pairwise Difference Correlation".
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.meta.segment_ties import (
    Agreement,
    Grouping,
    NoAgreement,
    agreement_of,
    paired_groups,
)
from evaluation.stats.estimates import Estimate, sign
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


def difference_pearson(
    human: ArrayLike, metric: ArrayLike, *, resamples: int = 1000, seed: int = 0
) -> Agreement:
    """Return r of the differences of two systems in a segment, over all pairs and segments.

    Each pair counts in both orders, so that r does not depend on the order of the systems. Scores
    are systems × segments; NaN is a missing one. The interval is of resampled segments. Raises
    ValueError if the shapes differ or a score is infinite.
    """
    people, scores = paired_groups(human, metric, "item")
    known = ~(np.isnan(people) | np.isnan(scores))
    systems = np.count_nonzero(known, axis=0)
    x, y = _centred(people, ~known), _centred(scores, ~known)
    # The sum of the products of all differences of n numbers is n times that of deviations.
    sums = (np.stack([x * y, x**2, y**2]).sum(axis=1) * systems).T[systems > 1]
    resampling = (f"{resamples} resamples of segments", f"seed {seed}")
    value = float(_quotients(sums.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        why = NoAgreement.CONSTANT if len(sums) else NoAgreement.NO_PAIRS
        estimate = Estimate(None, undefined=why.value)
    else:
        again = _quotients(resampled_sums(sums, resamples=resamples, seed=seed))
        estimate = with_interval(value, again, len(sums), CORRELATION)
    scored = ~np.isnan(people)
    return Agreement(
        estimate,
        len(sums),
        len(systems) - len(sums),
        int(np.count_nonzero(scored & ~known)),
        sign(
            "Pearson's r of differences in segments",
            ("pairs in both orders", *resampling),
            int(np.count_nonzero(scored)),
            int(np.count_nonzero(scored.any(axis=0))),
        ),
    )


def _quotients(sums: Floats) -> Floats:
    """Return Σxy / √(Σx² Σy²) of rows of these sums; NaN if 0 / 0."""
    values = np.full(len(sums), np.nan)
    below = np.sqrt(sums[:, 1]) * np.sqrt(sums[:, 2])
    np.divide(sums[:, 0], below, out=values, where=below > 0)
    return np.asarray(np.clip(values, -1, 1))


def _correlations(people: Floats, scores: Floats) -> Floats:
    """Return r of each group (column); NaN where fewer than two vary."""
    missing = np.isnan(people) | np.isnan(scores)
    x, y = _centred(people, missing), _centred(scores, missing)
    return _quotients(np.stack([x * y, x**2, y**2]).sum(axis=1).T)


def _centred(scores: Floats, missing: NDArray[np.bool_]) -> Floats:
    """Return the deviations from the means of columns; 0 for missing scores and for constants."""
    count = np.maximum(1, np.count_nonzero(~missing, axis=0))
    deviations = scores - np.where(missing, 0, scores).sum(axis=0) / count
    # Rounding errors of means must not make a constant vary.
    varies = np.where(missing, -np.inf, scores).max(axis=0, initial=-np.inf) > np.where(
        missing, np.inf, scores
    ).min(axis=0, initial=np.inf)
    return np.where(missing | ~varies, 0.0, deviations)


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

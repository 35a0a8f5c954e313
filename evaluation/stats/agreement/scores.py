"""Agreement of scores, such as points from 0 to 100: Krippendorff's α, Pearson's r, differences.

α = 1 - D_o / D_e for interval data: D_o is the mean squared difference of scores of one item by
different annotators (each annotator's first of the item), and D_e that of all these scores.
Annotators who use different parts of the scale disagree: standardise scores first if that is not
meant. Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability.

r is Pearson's correlation of the two scores of a pair of judgements of one item. Their order is
arbitrary, so each pair counts in both orders: Fisher's intraclass correlation (Fisher 1925,
Statistical Methods for Research Workers, section 38).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.labels import NO_COMMON_ITEMS, NO_REPEATS
from evaluation.stats.agreement.single_items import (
    ItemJudgements,
    ItemPairs,
    Kind,
    pair_judgements,
)
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.resampling import (
    CORRELATION,
    Bounds,
    Floats,
    number_sentences,
    resampled_sums,
    sums_by,
    with_interval,
)
from evaluation.stats.two_way import two_way_of_pairs

EQUAL_SCORES: Final = "all scores are equal"
POSITIVE: Final[Bounds] = (0.0, float("inf"))
AT_MOST_ONE: Final[Bounds] = (-float("inf"), 1.0)


@dataclass(frozen=True)
class ScorePairs:
    """Pairs of scores of one item, of `items` items: r and the mean absolute difference."""

    pairs: int
    items: int
    correlation: Estimate
    difference: Estimate


@dataclass(frozen=True)
class ScoreAgreement:
    """α over `values` scores of `items` items that two annotators or more scored; pairs of scores.

    All estimates have intervals over the sampled units, and over units and annotators.
    """

    alpha: Estimate
    items: int
    values: int
    intra: ScorePairs
    inter: ScorePairs
    signature: str


def measure_scores(
    judged: ItemJudgements, scores: Floats, *, resamples: int = 1000, seed: int = 0
) -> ScoreAgreement:
    """Return α, and r and differences of J scores by one annotator (intra) and by two (inter).

    NaN is left out. Scores by unidentified annotators are not compared.
    """
    known = ~np.isnan(scores)
    judged, scores = judged.select(known), scores[known]
    # Figures do not depend on the mean; without it sums of squares lose fewer digits.
    scores = scores - (scores.mean() if len(scores) else 0.0)
    pairs = pair_judgements(judged)
    alpha, items, values = _alpha(judged, scores, resamples, seed)
    return ScoreAgreement(
        alpha,
        items,
        values,
        _pairs(pairs, scores, "intra", resamples, seed),
        _pairs(pairs, scores, "inter", resamples, seed),
        judged.sign(
            "agreement of scores",
            "interval α",
            "r of pairs in both orders",
            f"95 % intervals of {resamples} resamples of {judged.unit}",
            f"seed {seed}",
        ),
    )


def _pairs(every: ItemPairs, scores: Floats, kind: Kind, resamples: int, seed: int) -> ScorePairs:
    pairs = every.of_kind(kind)
    if not len(pairs):
        why = Estimate(None, undefined=NO_REPEATS if kind == "intra" else NO_COMMON_ITEMS)
        return ScorePairs(0, 0, why, why)
    one, other = scores[pairs.rows], scores[pairs.other_rows]
    apart = np.abs(one - other)
    columns = [np.ones(len(pairs)), apart, (one + other) / 2, (one**2 + other**2) / 2, one * other]
    again = pairs.resampled(columns, resamples=resamples, seed=seed)
    with np.errstate(invalid="ignore"):
        differences = again[:, 1] / again[:, 0]
    difference = float(apart.mean())
    return ScorePairs(
        len(pairs),
        len(np.unique(pairs.items)),
        _correlation(pairs, columns, _correlations(again), kind),
        pairs.estimate(difference, differences, (apart - difference) / len(pairs), kind, POSITIVE),
    )


def _correlation(pairs: ItemPairs, columns: list[Floats], again: Floats, kind: Kind) -> Estimate:
    value = float(_correlations(np.array([[column.sum() for column in columns]]))[0])
    if np.isnan(value):
        return Estimate(None, undefined=EQUAL_SCORES)
    _, _, mean, square, product = columns
    centre = mean.mean()
    variance = square.mean() - centre**2
    # About the mean: (x - m)(y - m), and half of (x - m)² + (y - m)².
    product, square = (column - 2 * centre * mean + centre**2 for column in (product, square))
    influence = (product - value * square) / variance / len(pairs)
    return pairs.estimate(value, again, influence, kind, CORRELATION)


def _correlations(sums: Floats) -> Floats:
    """Return r from sums of 1, |x - y|, (x + y) / 2, (x² + y²) / 2 and xy; NaN if undefined."""
    count, _, mean, square, product = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = square / count - (mean / count) ** 2
        return np.where(
            variance > 1e-12 * square / count,
            (product / count - (mean / count) ** 2) / variance,
            np.nan,
        )


def _alpha(
    judged: ItemJudgements, scores: Floats, resamples: int, seed: int
) -> tuple[Estimate, int, int]:
    """Return α, and the numbers of items and scores it is from."""
    units, unit_count = number_sentences(judged.sampled)
    rows = _first_by_two(judged)
    if not len(rows):
        return Estimate(None, undefined=NO_COMMON_ITEMS), 0, 0
    chosen, values = judged.select(rows), scores[rows]
    _, items, times = np.unique(chosen.items, return_inverse=True, return_counts=True)
    pairs = pair_judgements(chosen)
    squares = (values[pairs.rows] - values[pairs.other_rows]) ** 2
    # Each ordered pair of the m scores of an item has the weight 1 / (m - 1).
    weights = 2 / (times[items[pairs.rows]] - 1)
    sums = np.column_stack(
        [
            sums_by(units[rows[pairs.rows]], weights * squares, unit_count),
            *(sums_by(units[rows], values**power, unit_count) for power in range(3)),
        ]
    )
    alpha = float(_alphas(sums.sum(axis=0, keepdims=True))[0])
    if np.isnan(alpha):
        return Estimate(None, undefined=EQUAL_SCORES), len(times), len(rows)
    estimate = with_interval(
        alpha,
        _alphas(resampled_sums(sums, resamples=resamples, seed=seed)),
        len(np.unique(units[rows])),
        AT_MOST_ONE,
        judged.unit,
    )
    if estimate.low is None:
        return estimate, len(times), len(rows)
    count = len(values)
    expected = 2 * values.var() * count / (count - 1)
    observed = (1 - alpha) * expected
    of_pairs = -(squares - observed) * weights / count / expected
    of_values = 2 * ((values - values.mean()) ** 2 - values.var()) / count
    both = two_way_of_pairs(
        np.concatenate([of_pairs, observed / expected**2 * of_values]),
        np.concatenate([units[rows[pairs.rows]], units[rows]]),
        np.concatenate([pairs.left, chosen.annotators]),
        np.concatenate([pairs.right, chosen.annotators]),
    )
    return both.widen(estimate, 0, AT_MOST_ONE), len(times), len(rows)


def _first_by_two(judged: ItemJudgements) -> np.ndarray:
    """Return the rows of each annotator's first score of each item that two or more scored."""
    known = np.flatnonzero(judged.annotators != UNIDENTIFIED)
    people = np.int64(judged.annotators.max(initial=0)) + 1
    cells = judged.items[known] * people + judged.annotators[known]
    _, first = np.unique(cells, return_index=True)
    rows = np.sort(known[first])
    scored_by = np.bincount(judged.items[rows])
    return rows[scored_by[judged.items[rows]] > 1]


def _alphas(sums: Floats) -> Floats:
    """Return α from sums of weighted squared differences, 1, x and x² (T × 4)."""
    squares, count, mean, square = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = square / count - (mean / count) ** 2
        expected = 2 * variance * count / (count - 1)
        return np.where(variance > 1e-12 * square / count, 1 - squares / count / expected, np.nan)

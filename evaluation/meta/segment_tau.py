"""Kendall's τ of a metric on single segments, by each rule for ties that WMT has used.

The rule decides which metric wins: a metric with many ties is punished by WMT12, and rewarded by
WMT13. So all rules are computed at once, from one table of outcomes a sentence: people (better,
equal, worse) by metric (better, equal, worse). Sums of these tables are all that an interval needs.
Source: Macháček & Bojar (2014), "Results of the WMT14 Metrics Shared Task", on Kendall's τ; its
formula must sum over {<, =, >}. Callison-Burch et al. (2012) and Macháček & Bojar (2013) used the
rules WMT12 and WMT13.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from evaluation.meta.gold_pairs import GoldPairs
from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.resampling import (
    CORRELATION,
    TAIL,
    Floats,
    number_sentences,
    resampled_sums,
    sums_by,
    with_interval,
)
from evaluation.stats.units import Unit

OUTCOMES: Final = 3
# Cells of a table of outcomes, row by row.
CELLS: Final = OUTCOMES * OUTCOMES
Row = tuple[int | None, int | None, int | None]
Table = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


class NoTau(Enum):
    """Why a metric has no τ."""

    NO_COMPARISON = "people compared no two translations"
    NOTHING_COUNTS = "the rule counts none of the comparisons"
    MISSING_SCORES = "the metric has no score of some of the compared translations"


@dataclass(frozen=True)
class TieRule:
    """What each outcome adds to the numerator of τ; None: the comparison does not count.

    Rows: people found the first translation better, equal, worse; columns: the metric did.
    """

    name: str
    coefficients: tuple[Row, Row, Row]

    @property
    def counted(self) -> Floats:
        """1 for the cells (9) that count, else 0."""
        return np.array([c is not None for row in self.coefficients for c in row], dtype=float)

    @property
    def signs(self) -> Floats:
        """The coefficients of the cells (9), 0 for those that do not count."""
        return np.array([c or 0 for row in self.coefficients for c in row], dtype=float)


SKIPPED: Final[Row] = (None, None, None)
# Ties of the metric are errors.
WMT12: Final = TieRule("WMT12", ((1, -1, -1), SKIPPED, (-1, -1, 1)))
# Ties of the metric are left out.
WMT13: Final = TieRule("WMT13", ((1, None, -1), SKIPPED, (-1, None, 1)))
# Ties of the metric count in the denominator.
WMT14: Final = TieRule("WMT14", ((1, 0, -1), SKIPPED, (-1, 0, 1)))
# So do ties of people, which a tie of the metric gets right.
HTIES: Final = TieRule("HTIES", ((1, 0, -1), (0, 1, 0), (-1, 0, 1)))
RULES: Final = (WMT12, WMT13, WMT14, HTIES)


@dataclass(frozen=True)
class Tau:
    """τ by one rule, with its interval for other sentences.

    The half widths are (x[97.5 %] - x[2.5 %]) / 2 of resampled sentences, and of resampled
    comparisons: WMT published the latter, which are too narrow, because the comparisons of one
    sentence are not independent. Both are None if τ is undefined.
    """

    rule: str
    estimate: Estimate
    half_width: float | None = None
    half_width_by_comparison: float | None = None


@dataclass(frozen=True)
class MetricTaus:
    """τ of a metric by each rule, and the outcomes: rows people, columns metric.

    `missing` counts the comparisons of translations that the metric has no score of; they are in no
    cell, and the metric then has no τ. `untied` counts the comparisons in which people preferred
    one of the two, whether the metric scored them or not.
    """

    metric: str
    outcomes: Table
    missing: int
    untied: int
    taus: tuple[Tau, ...]
    signature: str

    @property
    def concordant(self) -> int:
        return self.outcomes[0][0] + self.outcomes[2][2]

    @property
    def discordant(self) -> int:
        return self.outcomes[0][2] + self.outcomes[2][0]

    @property
    def metric_ties(self) -> int:
        """The comparisons in which people preferred one of the two and the metric did not."""
        return self.outcomes[0][1] + self.outcomes[2][1]

    @property
    def human_ties(self) -> int:
        """The comparisons in which people preferred neither."""
        return sum(self.outcomes[1])

    def tau(self, rule: TieRule) -> Tau:
        """Return τ by this rule; raises KeyError if it was not computed."""
        return {tau.rule: tau for tau in self.taus}[rule.name]


def count_outcomes(gold: GoldPairs, scores: ArrayLike) -> tuple[Floats, int]:
    """Return S × 9 outcomes by sentence, and the number of comparisons without a score.

    A row a sentence (or other sampled unit) that has comparisons, in the order of their codes; the
    9 cells are people (better, equal, worse) × metric (better, equal, worse). Raises ValueError if
    the scores have another shape than the gold expects.
    """
    one, other = gold.scores_of(scores)
    known = ~(np.isnan(one) | np.isnan(other))
    metric = (one > other).astype(np.int8) - (one < other).astype(np.int8)
    codes, count = number_sentences(gold.groups)
    # From better to worse is from 1 to -1, so cells are numbered from 1 - outcome.
    cells = codes.astype(np.int64) * CELLS + (1 - gold.outcomes) * OUTCOMES + (1 - metric)
    counts = sums_by(cells[known], gold.weights[known], count * CELLS)
    return counts.reshape(count, CELLS), int(gold.weights[~known].sum())


def tau(sums: Floats, rule: TieRule) -> Floats:
    """Return τ = Σ C·n / Σ n over the cells that count, for … × 9 outcomes; NaN if none counts."""
    counted = sums @ rule.counted
    values = np.full(np.shape(counted), np.nan)
    np.divide(sums @ rule.signs, counted, out=values, where=counted > 0)
    return values


def segment_taus(
    gold: GoldPairs,
    scores: Mapping[str, ArrayLike],
    *,
    rules: Sequence[TieRule] = RULES,
    resamples: int = 1000,
    seed: int = 0,
) -> tuple[MetricTaus, ...]:
    """Return τ of each metric (scores by name, better is higher) by each rule.

    All metrics are resampled alike. A metric without a score of a compared translation has no τ,
    as in WMT. Raises ValueError if scores have another shape than the gold expects.
    """
    return tuple(
        taus_of_outcomes(
            name,
            *count_outcomes(gold, values),
            untied=gold.untied,
            kind=gold.kind,
            judgements=gold.judgements,
            unit=gold.unit,
            rules=rules,
            resamples=resamples,
            seed=seed,
        )
        for name, values in scores.items()
    )


def taus_of_outcomes(
    name: str,
    outcomes: Floats,
    missing: int = 0,
    *,
    untied: int | None = None,
    kind: str,
    judgements: int,
    unit: Unit,
    rules: Sequence[TieRule] = RULES,
    resamples: int = 1000,
    seed: int = 0,
) -> MetricTaus:
    """Return τ by each rule from S × 9 outcomes by sentence; see `segment_taus`.

    Without `untied`, the outcomes are all comparisons.
    """
    total = outcomes.sum(axis=0)
    size = int(total.sum())
    again = resampled_sums(outcomes, resamples=resamples, seed=seed)
    # Resampling n comparisons is a multinomial sample of the cells.
    by_comparison = (
        np.random.default_rng(seed).multinomial(size, total / size, resamples).astype(float)
        if size
        else np.zeros((resamples, CELLS))
    )
    taus = []
    for rule in rules:
        value = float(tau(total, rule))
        if missing or np.isnan(value):
            none = NoTau.NOTHING_COUNTS if size else NoTau.NO_COMPARISON
            why = NoTau.MISSING_SCORES if missing else none
            taus.append(Tau(rule.name, Estimate(None, undefined=why.value)))
            continue
        counted = int(np.count_nonzero(outcomes @ rule.counted))
        resampled = tau(again, rule)
        taus.append(
            Tau(
                rule.name,
                with_interval(value, resampled, counted, CORRELATION, unit),
                half_width(resampled),
                half_width(tau(by_comparison, rule)),
            )
        )
    better, equal, worse = total.astype(int).reshape(OUTCOMES, OUTCOMES).tolist()
    return MetricTaus(
        name,
        (tuple(better), tuple(equal), tuple(worse)),
        missing,
        sum(better) + sum(worse) if untied is None else untied,
        tuple(taus),
        sign(
            "Kendall's τ of segments",
            (kind, f"comparisons {size}", f"{resamples} resamples of {unit}", f"seed {seed}"),
            judgements,
            len(outcomes),
        ),
    )


def winners(found: Sequence[MetricTaus]) -> dict[str, tuple[str, ...]]:
    """Return, by the name of each rule, the metrics with the highest τ; several if they are equal.

    Metrics without τ by a rule do not take part in it.
    """
    best: dict[str, tuple[str, ...]] = {}
    for rule in dict.fromkeys(tau.rule for metric in found for tau in metric.taus):
        values = {
            metric.metric: tau.estimate.value
            for metric in found
            for tau in metric.taus
            if tau.rule == rule and tau.estimate.value is not None
        }
        most = max(values.values(), default=None)
        best[rule] = tuple(name for name, value in values.items() if value == most)
    return best


def mean_tau(found: Sequence[MetricTaus], rule: TieRule) -> float | None:
    """Return the mean τ of one metric over several language pairs; None if it lacks one of them."""
    values = [metric.tau(rule).estimate.value for metric in found]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def half_width(values: Floats) -> float | None:
    """Return (x[97.5 %] - x[2.5 %]) / 2 as WMT does: of 1000 sorted values, x[975] and x[25].

    Without the undefined values; None if there are none but these.
    """
    ordered = np.sort(values[~np.isnan(values)])
    if not len(ordered):
        return None
    low, high = (int(len(ordered) * share) for share in (TAIL, 1 - TAIL))
    return float(ordered[min(high, len(ordered) - 1)] - ordered[low]) / 2

"""Agreement of labels: yes and no, grades of a scale, or better, equal and worse.

κ = (P(A) - P(E)) / (1 - P(E)). P(A) is the share of equal labels in all pairs of judgements of one
item; P(E) = 1 / k is that of labels chosen at random from k, not those of the annotators. Two
grades of one screen are also read as a preference, with k = 3.
Source: Callison-Burch et al. (2007), "(Meta-) Evaluation of Machine Translation", section 4.2.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.single_items import (
    ItemJudgements,
    ItemPairs,
    Kind,
    pair_judgements,
)
from evaluation.stats.comparisons import Rows, pairs_of_judgements
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.resampling import shares

NO_REPEATS: Final = "no annotator judged an item twice"
NO_COMMON_ITEMS: Final = "no two annotators judged the same item"
# The labels of `preferences`.
WORSE, EQUAL, BETTER = range(3)
PREFERENCES: Final = 3


@dataclass(frozen=True)
class LabelAgreement:
    """Pairs of judgements with equal labels, and all pairs, of `items` items.

    `observed` is P(A), None without pairs; `kappa` has intervals over the sampled units, and over
    units and annotators.
    """

    agree: int
    compared: int
    observed: float | None
    items: int
    kappa: Estimate


@dataclass(frozen=True)
class LabelAgreementReport:
    """Agreement by one annotator (intra) and by two (inter); `expected` is P(E)."""

    expected: float
    intra: LabelAgreement
    inter: LabelAgreement
    signature: str


def measure_labels(
    judged: ItemJudgements,
    labels: Codes,
    *,
    count: int,
    left_out: Collection[int] = (),
    resamples: int = 1000,
    seed: int = 0,
) -> LabelAgreementReport:
    """Return κ of J labels, codes below `count`, intra and inter.

    Judgements with a label of `left_out`, such as "not sure", are left out, and P(E) is 1 divided
    by the number of other labels. Judgements by unidentified annotators are not compared. Raises
    ValueError for other codes, and if fewer than two labels are left.
    """
    if len(labels) and not 0 <= labels.min() <= labels.max() < count:
        raise ValueError(f"A label is not from 0 to {count - 1}.")
    kept_labels = count - len(set(left_out))
    if kept_labels < 2:
        raise ValueError("Agreement needs two labels.")
    kept = ~np.isin(labels, list(left_out))
    judged, labels = judged.select(kept), labels[kept]
    expected = 1 / kept_labels
    pairs = pair_judgements(judged)
    options = (
        f"P(E) 1/{kept_labels}",
        f"95 % intervals of {resamples} resamples of {judged.unit}",
        f"seed {seed}",
    )
    return LabelAgreementReport(
        expected=expected,
        intra=_agreement(pairs, labels, "intra", expected, resamples, seed),
        inter=_agreement(pairs, labels, "inter", expected, resamples, seed),
        signature=judged.sign(
            "κ of labels", *options[:1], *(("labels left out",) if left_out else ()), *options[1:]
        ),
    )


def label_candidates(judgements: Judgements) -> tuple[ItemJudgements, Codes]:
    """Return an item for each unique candidate in each judgement, and its rank less 1 as label."""
    rows, columns = np.nonzero(judgements.candidate_ranks)
    width = judgements.candidate_ranks.shape[1]
    judged = ItemJudgements(
        items=(judgements.segments[rows] * width + columns).astype(np.int32),
        annotators=judgements.annotators[rows],
        sentences=judgements.sentences[rows],
        units=judgements.units[rows],
        unit=judgements.unit,
        provenance=judgements.provenance,
    )
    return judged, judgements.candidate_ranks[rows, columns].astype(np.int32) - 1


def preferences(
    screens: Codes, items: Codes, scores: NDArray[np.floating]
) -> tuple[Rows, Codes, Codes]:
    """Read grades of one screen as preferences, WORSE, EQUAL or BETTER: larger ones are better.

    The arrays have an element for each score; NaN is skipped. Return, for all pairs of different
    items of one screen, a row of the pair (with its annotator and sentence), the code of the pair
    of items, and the label of the item with the smaller code.
    """
    known = np.flatnonzero(~np.isnan(scores))
    nothing = np.zeros(0, dtype=np.intp)
    parts = [(nothing, nothing), *pairs_of_judgements(screens[known])]
    one, other = (known[np.concatenate(side)] for side in zip(*parts, strict=True))
    differ = items[one] != items[other]
    one, other = one[differ], other[differ]
    swapped = items[one] > items[other]
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    width = np.int64(items.max(initial=0)) + 1
    _, pairs = np.unique(items[one] * width + items[other], return_inverse=True)
    labels = np.sign(scores[one] - scores[other]) + EQUAL
    return one, pairs.astype(np.int32), labels.astype(np.int32)


def _agreement(
    every: ItemPairs,
    labels: Codes,
    kind: Kind,
    expected: float,
    resamples: int,
    seed: int,
) -> LabelAgreement:
    pairs = every.of_kind(kind)
    alike = labels[pairs.rows] == labels[pairs.other_rows]
    agree, compared = int(np.count_nonzero(alike)), len(pairs)
    if not compared:
        undefined = NO_REPEATS if kind == "intra" else NO_COMMON_ITEMS
        return LabelAgreement(0, 0, None, 0, Estimate(None, undefined=undefined))
    again = pairs.resampled([alike, np.ones(compared)], resamples=resamples, seed=seed)
    observed = agree / compared
    return LabelAgreement(
        agree,
        compared,
        observed,
        len(np.unique(pairs.items)),
        pairs.estimate(
            (observed - expected) / (1 - expected),
            (shares(*again.T) - expected) / (1 - expected),
            (alike - observed) / compared / (1 - expected),
            kind,
            (-expected / (1 - expected), 1.0),
        ),
    )

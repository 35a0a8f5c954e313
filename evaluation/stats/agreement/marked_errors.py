"""Agreement of annotators on the errors that they marked in a translation, character by character.

F1 = 2 Σ |A ∩ B| / Σ (|A| + |B|), summed over pairs of judgements of one item: A and B are the
characters that the two marked. It is the harmonic mean of precision and recall, whichever of the
two is taken for the truth. Characters count for the second F1 only if both have the same severity.
Omissions have no place, so F1 leaves them out: they are compared as yes or no.
"""

from collections.abc import Sequence
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
from evaluation.stats.error_spans import Mark
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import SHARE, Floats, shares

NOTHING_MARKED: Final = "no error was marked in any of them"


@dataclass(frozen=True)
class MarkPairs:
    """Pairs of judgements of one item, of `items` items.

    `f1` is that of marked characters, `severity_f1` that of characters with the same severity.
    `omissions` are the pairs in which both report an omission, one of them, and none.
    """

    pairs: int
    items: int
    f1: Estimate
    severity_f1: Estimate
    omissions: tuple[int, int, int]


@dataclass(frozen=True)
class MarkAgreement:
    """Agreement by one annotator (intra) and by two (inter), with intervals over the sampled units,
    and over units and annotators."""

    intra: MarkPairs
    inter: MarkPairs
    signature: str


def measure_marks(
    judged: ItemJudgements,
    marks: Sequence[Sequence[Mark]],
    omissions: Sequence[bool],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> MarkAgreement:
    """Return the agreement of J judgements on marked errors, which do not overlap in a judgement.

    `marks` and `omissions` have one element for each judgement. Judgements by unidentified
    annotators are not compared.
    """
    every = pair_judgements(judged)
    missing = np.array(omissions, dtype=np.bool_)

    def of_kind(kind: Kind) -> MarkPairs:
        return _compare(every.of_kind(kind), marks, missing, kind, resamples, seed)

    return MarkAgreement(
        of_kind("intra"),
        of_kind("inter"),
        judged.sign(
            "agreement on marked errors",
            "F1 of characters",
            f"95 % intervals of {resamples} resamples of {judged.unit}",
            f"seed {seed}",
        ),
    )


def common_characters(one: Sequence[Mark], other: Sequence[Mark]) -> tuple[int, int]:
    """Return how many characters both marked, and how many of them with the same severity."""
    common = same = 0
    for start, end, severity in one:
        for other_start, other_end, other_severity in other:
            shared = max(0, min(end, other_end) - max(start, other_start))
            common += shared
            same += shared if severity == other_severity else 0
    return common, same


def _compare(
    pairs: ItemPairs,
    marks: Sequence[Sequence[Mark]],
    missing: np.ndarray,
    kind: Kind,
    resamples: int,
    seed: int,
) -> MarkPairs:
    if not len(pairs):
        why = Estimate(None, undefined=NO_REPEATS if kind == "intra" else NO_COMMON_ITEMS)
        return MarkPairs(0, 0, why, why, (0, 0, 0))
    lengths = np.array([sum(end - start for start, end, _ in one) for one in marks], dtype=float)
    common, same = np.array(
        [
            common_characters(marks[row], marks[other])
            for row, other in zip(pairs.rows, pairs.other_rows, strict=True)
        ],
        dtype=float,
    ).T
    marked = lengths[pairs.rows] + lengths[pairs.other_rows]
    again = pairs.resampled([2 * common, 2 * same, marked], resamples=resamples, seed=seed)
    reported = missing[pairs.rows].astype(int) + missing[pairs.other_rows]
    none, one_only, both = np.bincount(reported, minlength=3).tolist()
    return MarkPairs(
        len(pairs),
        len(np.unique(pairs.items)),
        _f1(pairs, 2 * common, marked, shares(again[:, 0], again[:, 2]), kind),
        _f1(pairs, 2 * same, marked, shares(again[:, 1], again[:, 2]), kind),
        (both, one_only, none),
    )


def _f1(pairs: ItemPairs, part: Floats, whole: Floats, again: Floats, kind: Kind) -> Estimate:
    total = whole.sum()
    if not total:
        return Estimate(None, undefined=NOTHING_MARKED)
    value = float(part.sum() / total)
    return pairs.estimate(value, again, (part - value * whole) / total, kind, SHARE)

"""Effects of the previous sentence and of the position on the screen.

Source: Mathur, Baldwin & Cohn (2017), "Sequence Effects in Crowdsourced Annotations". Their measure
is the correlation with the previous judgement; here it is computed for shares of a screen, because
ranks of different candidates cannot be compared.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.annotators.screens import Screens, screens
from evaluation.stats.comparisons import count_ties
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import GARBAGE, MISSING, Judgements
from evaluation.stats.ranking.significance import sign_flips
from evaluation.stats.resampling import (
    SHARE,
    Floats,
    number_sentences,
    resampled_sums,
    shares,
    sums_by,
    with_interval,
)

# Permutations × screens of an annotator in memory at once: 32 MiB.
SHUFFLED_AT_ONCE: Final = 1 << 22
# Permutations × screens of all annotators: 10 s or less.
MOST_SHUFFLED: Final = 100_000_000
FEWEST_PERMUTATIONS: Final = 199
ROUNDING: Final = 1e-12

UNKNOWN_ORDER: Final = "the order in which sentences were judged is unknown"
ALWAYS_ALIKE: Final = "the share is the same on all screens of each annotator"
UNKNOWN_PLACES: Final = "the positions of candidates are unknown, or all candidates always tied"


@dataclass(frozen=True)
class CarryOver:
    """Correlation of a screen's share with that of the annotator's previous screen.

    `correlation` is Pearson's, of deviations from the annotator's mean, over `compared` pairs of
    screens. Each annotator's screens are shuffled to get the mean `by_chance` and the two-sided
    `p`. A slow drift has an effect too.
    """

    compared: int
    correlation: Estimate
    by_chance: float | None
    p: float | None


@dataclass(frozen=True)
class PlaceEffect:
    """How often the candidate shown earlier was better, worse and tied, over pairs.

    `share` = earlier / (earlier + later) is 0.5 without an effect; `p` by sign flips of sentences,
    or of the other units that are sampled.
    """

    earlier_better: int
    later_better: int
    tied: int
    share: Estimate
    p: float | None


@dataclass(frozen=True)
class SequenceEffects:
    """Carry-over of the share of garbage and of ties, and the effect of the position."""

    garbage: CarryOver
    ties: CarryOver
    place: PlaceEffect
    signature: str


def sequence_effects(
    judgements: Judgements, *, resamples: int = 1000, seed: int = 0
) -> SequenceEffects:
    """Return the three effects, with `resamples` resamples of sentences and permutations.

    Intervals resample the sentences of the later screen of each pair, or the other units of the
    judgements. Large projects have fewer permutations.
    """
    ranks = judgements.candidate_ranks
    placed = np.count_nonzero(ranks != MISSING, axis=1)
    garbage = np.count_nonzero(ranks == GARBAGE, axis=1)
    tied, untied = count_ties(ranks)
    seen = screens(judgements)
    most = max(FEWEST_PERMUTATIONS, MOST_SHUFFLED // max(1, len(seen)))
    permutations = min(resamples, most)
    return SequenceEffects(
        garbage=_carry_over(judgements, seen, garbage, placed, resamples, permutations, seed),
        ties=_carry_over(judgements, seen, tied, tied + untied, resamples, permutations, seed),
        place=_place_effect(judgements, resamples, seed),
        signature=judgements.sign(
            "sequence effects",
            "screens of one sentence",
            f"{resamples} resamples of {judgements.unit}",
            f"{permutations} permutations",
            f"seed {seed}",
        ),
    )


def _carry_over(
    judgements: Judgements,
    seen: Screens,
    part: NDArray[Any],
    whole: NDArray[Any],
    resamples: int,
    permutations: int,
    seed: int,
) -> CarryOver:
    rows = np.arange(len(part))
    wholes = seen.sums(rows, whole)
    defined = wholes > 0
    chosen = seen.select(defined)
    values = seen.sums(rows, part)[defined] / wholes[defined]
    follows = np.flatnonzero(chosen.annotators[1:] == chosen.annotators[:-1]) + 1
    if not len(follows):
        return CarryOver(0, Estimate(None, undefined=UNKNOWN_ORDER), None, None)
    deviations = _deviations(values, chosen.annotators)
    now, before = deviations[follows], deviations[follows - 1]
    products = np.column_stack([now * before, now**2, before**2])
    (value,) = _correlations(products.sum(axis=0, keepdims=True))
    if np.isnan(value):
        return CarryOver(len(follows), Estimate(None, undefined=ALWAYS_ALIKE), None, None)
    codes, count = number_sentences(judgements.sentence_units[chosen.sentences[follows]])
    sums = np.column_stack([sums_by(codes, column, count) for column in products.T])
    again = _correlations(resampled_sums(sums, resamples=resamples, seed=seed))
    shuffled = _shuffled(deviations, chosen.annotators, permutations, seed)
    middle = float(np.mean(shuffled))
    as_far = np.abs(shuffled - middle) >= abs(value - middle) - ROUNDING
    return CarryOver(
        compared=len(follows),
        correlation=with_interval(float(value), again, count, unit=judgements.unit),
        by_chance=middle,
        p=(int(np.count_nonzero(as_far)) + 1) / (permutations + 1),
    )


def _deviations(values: Floats, owners: NDArray[np.int32]) -> Floats:
    """Return the values minus their annotator's mean; exactly 0 if an annotator's are equal."""
    people = int(owners.max()) + 1
    means = shares(sums_by(owners, values, people), np.bincount(owners).astype(np.float64))
    return np.round(values - means[owners], 12)


def _correlations(sums: Floats) -> Floats:
    """Return T correlations from sums of xy, x² and y² (T × 3); NaN if nothing varies."""
    xy, xx, yy = sums.T
    scale = np.sqrt(xx * yy)
    return shares(xy, scale)


def _shuffled(deviations: Floats, owners: NDArray[np.int32], times: int, seed: int) -> Floats:
    """Return `times` correlations with each annotator's values shuffled; 0 if undefined."""
    random = np.random.default_rng(seed)
    sums = np.zeros((times, 3))
    ends = np.flatnonzero(np.diff(owners)) + 1
    for own in np.split(deviations, ends):
        part = max(1, SHUFFLED_AT_ONCE // len(own))
        for start in range(0, times, part):
            order = random.permuted(np.tile(own, (min(part, times - start), 1)), axis=1)
            now, before = order[:, 1:], order[:, :-1]
            products = ((now, before), (now, now), (before, before))
            sums[start : start + part] += np.column_stack(
                [np.einsum("ij,ij->i", one, other) for one, other in products]
            )
    return np.nan_to_num(_correlations(sums))


def _place_effect(judgements: Judgements, resamples: int, seed: int) -> PlaceEffect:
    counts = _count_places(judgements)
    earlier, later, tied = (int(count) for count in counts.sum(axis=0))
    if not earlier + later:
        return PlaceEffect(0, 0, tied, Estimate(None, undefined=UNKNOWN_PLACES), None)
    again = resampled_sums(counts, resamples=resamples, seed=seed)
    resampled = shares(again[:, 0], again[:, 0] + again[:, 1])
    (p,) = sign_flips(counts[:, :1] - counts[:, 1:2])
    known = int(np.count_nonzero(counts[:, :2].any(axis=1)))
    share = with_interval(earlier / (earlier + later), resampled, known, SHARE, judgements.unit)
    return PlaceEffect(earlier, later, tied, share, float(p))


def _count_places(judgements: Judgements) -> Floats:
    """Return, by sampled unit, how often the earlier, the later or neither candidate is better.

    Candidates with equal text share a position and are not compared.
    """
    codes, units = number_sentences(judgements.units)
    cells = np.zeros((3, len(judgements)), dtype=np.int32)
    columns = list(zip(judgements.candidate_ranks.T, judgements.shown.T, strict=True))
    for (rank, place), (other_rank, other_place) in combinations(columns, 2):
        both = (place > 0) & (other_place > 0) & (place != other_place)
        first_is_better = (rank < other_rank) == (place < other_place)
        tied = rank == other_rank
        cells[0] += both & ~tied & first_is_better
        cells[1] += both & ~tied & ~first_is_better
        cells[2] += both & tied
    return np.column_stack([sums_by(codes, cell, units) for cell in cells])

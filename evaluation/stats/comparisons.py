"""Comparisons of pairs of judgements of the same segment, which agreement counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Codes, Judgements, Ranks

Rows = NDArray[np.intp]
Counts = NDArray[np.int32]
# Pairs of judgements by one annotator, or by two.
Kind = Literal["intra", "inter"]
# Pairs of judgements compared at once: their columns stay within the processor's cache.
PAIRS_AT_ONCE: Final = 1 << 15


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Pairs of judgements of one segment by known annotators; P elements each.

    `rows` and `other_rows` are the two judgements; `left` and `right` their annotators' codes, the
    smaller one left. `agree` of `compared` pairs of candidates have the same outcome in both; in
    `reversed` of them the two prefer different candidates. `tau_b` is Kendall's τ-b of the two, NaN
    if one of them has only ties.
    """

    rows: Rows
    other_rows: Rows
    left: Codes
    right: Codes
    agree: Counts
    reversed: Counts
    compared: Counts
    tau_b: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.left)

    @property
    def by_one(self) -> NDArray[np.bool_]:
        """Whether both judgements are by one annotator."""
        return np.equal(self.left, self.right)

    def of_kind(self, kind: Kind) -> "Comparisons":
        return self.select(self.by_one if kind == "intra" else ~self.by_one)

    def select(self, rows: NDArray[np.bool_]) -> "Comparisons":
        return Comparisons(*(column[rows] for column in vars(self).values()))


def compare_judgements(judgements: Judgements) -> Comparisons:
    """Compare all unordered pairs of judgements of one segment by known annotators.

    Candidates that are missing in one of the two are left out. τ-b = (C - D) / √(U₁ · U₂), with C
    pairs of candidates in the same order, D in opposite order, and U₁ and U₂ untied in each of the
    two (Kendall 1945, The treatment of ties in ranking problems).
    """
    who, ranks = judgements.annotators, judgements.candidate_ranks
    parts = [_nothing()]
    for first, second in pairs_of_judgements(judgements.segments):
        known = (who[first] != UNIDENTIFIED) & (who[second] != UNIDENTIFIED)
        one, other = first[known], second[known]
        parts.append(
            Comparisons(
                one,
                other,
                np.minimum(who[one], who[other]),
                np.maximum(who[one], who[other]),
                *_compare(ranks[one], ranks[other]),
            )
        )
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return Comparisons(*map(np.concatenate, columns))


def count_ties(ranks: Ranks) -> tuple[Counts, Counts]:
    """Return the number of tied and of untied pairs of candidates in each judgement."""
    tied = np.zeros(len(ranks), dtype=np.int32)
    untied = np.zeros(len(ranks), dtype=np.int32)
    for left, right in combinations(ranks.T, 2):
        both = (left != MISSING) & (right != MISSING)
        same = left == right
        tied += both & same
        untied += both & ~same
    return tied, untied


def pairs_of_judgements(segments: Codes) -> Iterator[tuple[Rows, Rows]]:
    """Yield all unordered pairs of rows with the same segment, as two arrays, in bounded parts."""
    order = np.argsort(segments, kind="stable")
    grouped = segments[order]
    first = np.arange(len(order))
    # Pairs at a distance within their segment; rows whose segment ends earlier drop out.
    for distance in range(1, len(order)):
        first = first[first + distance < len(order)]
        first = first[grouped[first] == grouped[first + distance]]
        if not len(first):
            return
        for start in range(0, len(first), PAIRS_AT_ONCE):
            part = first[start : start + PAIRS_AT_ONCE]
            yield order[part], order[part + distance]


def _nothing() -> Comparisons:
    codes, counts = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
    rows = np.zeros(0, dtype=np.intp)
    return Comparisons(rows, rows, codes, codes, counts, counts, counts, np.zeros(0))


def _compare(left: Ranks, right: Ranks) -> tuple[Counts, Counts, Counts, NDArray[np.float64]]:
    """Return, by row, the pairs of candidates that agree, are reversed, are compared, and τ-b."""
    counts = np.zeros((6, len(left)), dtype=np.int32)
    agree, opposed, compared, balance, left_untied, right_untied = counts
    shared = (left != MISSING) & (right != MISSING)
    # Column by column in memory.
    left, right, shared = (np.asfortranarray(ranks) for ranks in (left, right, shared))
    for x, y in combinations(range(left.shape[1]), 2):
        both = shared[:, x] & shared[:, y]
        one = np.sign(left[:, x] - left[:, y]) * both
        other = np.sign(right[:, x] - right[:, y]) * both
        compared += both
        agree += both & (one == other)
        product = one * other
        balance += product
        opposed += product < 0
        left_untied += one != 0
        right_untied += other != 0
    scale = np.sqrt(left_untied * right_untied.astype(np.float64))
    tau_b = np.divide(balance, scale, out=np.full(len(left), np.nan), where=scale > 0)
    return agree, opposed, compared, tau_b

"""How far annotators agree with themselves (intra) and with each other (inter).

Definitions: method.md, "Agreement"; thesis, chapter 2.3 (Cohen's κ).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.judgements import MISSING, UNIDENTIFIED, Codes, Judgements, Ranks
from evaluation.signature import Signature

Rows = NDArray[np.intp]
# Pairs of judgements compared at once: their columns stay within the processor's cache.
PAIRS_AT_ONCE: Final = 1 << 15


class Undefined(Enum):
    """Why there is no κ."""

    NOTHING_COMPARED = "no two judgements of the same candidates to compare"
    ALL_TIED = "all candidates are always tied, so that agreement means nothing"


@dataclass(frozen=True)
class Chance:
    """Tied and untied pairs of candidates over all judgements, and the agreement by chance."""

    tied: int
    untied: int

    @property
    def expected(self) -> float | None:
        """P(E) = P(=)² + P(<)² + P(>)², with P(<) = P(>) = (1 - P(=)) / 2; None without pairs."""
        if not self.tied + self.untied:
            return None
        ties = self.tied / (self.tied + self.untied)
        return ties**2 + 2 * ((1 - ties) / 2) ** 2


@dataclass(frozen=True)
class Agreement:
    """Pairs of candidates on which two judgements agree, of all that both compare."""

    agree: int
    compared: int
    chance: Chance

    @property
    def observed(self) -> float | None:
        """P(A); None where nothing was compared."""
        return self.agree / self.compared if self.compared else None

    @property
    def undefined(self) -> Undefined | None:
        """Why κ is None; None where it is defined."""
        if not self.compared:
            return Undefined.NOTHING_COMPARED
        return None if self.chance.untied else Undefined.ALL_TIED

    @property
    def kappa(self) -> float | None:
        """κ = (P(A) - P(E)) / (1 - P(E)); None where undefined, never 0."""
        observed, expected = self.observed, self.chance.expected
        if observed is None or expected is None or self.undefined:
            return None
        return (observed - expected) / (1 - expected)


@dataclass(frozen=True)
class AgreementReport:
    """Agreement of all annotators together and of each one, in the order of their codes."""

    chance: Chance
    intra: Agreement
    inter: Agreement
    annotators_intra: tuple[Agreement, ...]
    annotators_inter: tuple[Agreement, ...]
    signature: Signature


def measure_agreement(judgements: Judgements) -> AgreementReport:
    """Compute P(E) and κ, intra and inter, of everyone and of each annotator.

    Every pair of judgements of one segment counts: by one annotator as intra, by two as inter
    (once for each of the two in their own figures). Unidentified annotators count in P(E) only.
    """
    chance = _chance(judgements.candidate_ranks)
    intra, inter = _tallies(judgements)
    # In `inter` each comparison stands with both of its annotators.
    return AgreementReport(
        chance=chance,
        intra=_agreement(intra.sum(axis=1), chance),
        inter=_agreement(inter.sum(axis=1) // 2, chance),
        annotators_intra=tuple(_agreement(tally, chance) for tally in intra.T),
        annotators_inter=tuple(_agreement(tally, chance) for tally in inter.T),
        signature=Signature(
            "κ of unordered pairs of unique candidates",
            ("expected agreement over all judgements", "repeats included"),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def pairs_of_judgements(segments: Codes) -> Iterator[tuple[Rows, Rows]]:
    """Yield all unordered pairs of rows with the same segment, as two arrays, in bounded parts."""
    order = np.argsort(segments, kind="stable")
    grouped = segments[order]
    first = np.arange(len(order))
    # At distance d within their group; rows whose group ends earlier drop out for good.
    for distance in range(1, len(order)):
        first = first[first + distance < len(order)]
        first = first[grouped[first] == grouped[first + distance]]
        if not len(first):
            return
        for start in range(0, len(first), PAIRS_AT_ONCE):
            part = first[start : start + PAIRS_AT_ONCE]
            yield order[part], order[part + distance]


def _chance(ranks: Ranks) -> Chance:
    tied = untied = 0
    for left, right in combinations(ranks.T, 2):
        both = int(np.count_nonzero((left != MISSING) & (right != MISSING)))
        ties = int(np.count_nonzero((left == right) & (left != MISSING)))
        tied += ties
        untied += both - ties
    return Chance(tied, untied)


def _tallies(judgements: Judgements) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return agreeing and compared pairs of candidates (rows) a annotator (columns)."""
    people = len(judgements.annotator_names)
    intra = np.zeros((2, people), dtype=np.int64)
    inter = np.zeros((2, people), dtype=np.int64)
    for left, right in pairs_of_judgements(judgements.segments):
        one, other = judgements.annotators[left], judgements.annotators[right]
        known = (one != UNIDENTIFIED) & (other != UNIDENTIFIED)
        counts = _compare(judgements.candidate_ranks[left], judgements.candidate_ranks[right])
        for row, count in enumerate(counts):
            intra[row] += _sums(one, count, known & (one == other), people)
            inter[row] += _sums(one, count, known & (one != other), people)
            inter[row] += _sums(other, count, known & (one != other), people)
    return intra, inter


def _compare(left: Ranks, right: Ranks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count, a row, the pairs of candidates that compare alike, and those compared at all."""
    agree = np.zeros(len(left), dtype=np.int64)
    compared = np.zeros(len(left), dtype=np.int64)
    shared = (left != MISSING) & (right != MISSING)
    for x, y in combinations(range(left.shape[1]), 2):
        both = shared[:, x] & shared[:, y]
        same = np.sign(left[:, x] - left[:, y]) == np.sign(right[:, x] - right[:, y])
        compared += both
        agree += both & same
    return agree, compared


def _sums(
    codes: Codes, counts: NDArray[np.int64], chosen: NDArray[np.bool_], people: int
) -> NDArray[np.int64]:
    sums = np.bincount(codes[chosen], weights=counts[chosen], minlength=people)
    return sums.astype(np.int64)


def _agreement(tally: NDArray[np.int64], chance: Chance) -> Agreement:
    agree, compared = tally
    return Agreement(int(agree), int(compared), chance)

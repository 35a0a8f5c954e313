"""Agreement as WMT published it, for comparison with their figures.

It differs from `kappa.measure_agreement` in three ways: "inter" also counts pairs of judgements by
one annotator; two candidates are compared only if they were shown in the same order; and P(E) of
"intra" covers only the annotators and segments with repeated pairs.
Source: the data of WMT 2016 with the figures published for them (Bojar et al. 2016, section 3.3).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.kappa import Agreement, Chance
from evaluation.stats.judgements import MISSING, UNIDENTIFIED, Judgements

Keys = NDArray[np.int64]


@dataclass(frozen=True)
class PublishedAgreement:
    """Agreement of annotators with themselves and with all; each has its own P(E)."""

    intra: Agreement
    inter: Agreement
    signature: str


@dataclass(frozen=True, eq=False)
class _Compared:
    """Pairs of candidates of all judgements, with segment, annotator and outcome."""

    pairs: Keys
    segments: NDArray[np.int32]
    annotators: NDArray[np.int32]
    outcomes: NDArray[np.int8]


def measure_as_published(judgements: Judgements) -> PublishedAgreement:
    """Return both agreements, with P(E) = t² + 2((1 - t) / 2)² for a share t of ties.

    Where the order of display is unknown, candidates are taken to be in the order of the segment.
    """
    rows = _compared(judgements)
    everything = np.ones(len(rows.outcomes), dtype=np.bool_)
    return PublishedAgreement(
        intra=_intra(rows),
        inter=Agreement(*_agreeing(rows.pairs, rows.outcomes), _chance(rows, everything)),
        signature=judgements.sign(
            "κ as published by WMT", "pairs in the order shown", "inter with pairs of one annotator"
        ),
    )


def _compared(judgements: Judgements) -> _Compared:
    ranks = judgements.candidate_ranks
    judged = ranks != MISSING
    # By position on the screen, then by place in the segment; unranked candidates last.
    places = np.where(judged, judgements.shown, np.iinfo(np.int8).max)
    order = np.argsort(places, axis=1, kind="stable").astype(np.int32)
    counts = np.count_nonzero(judged, axis=1)
    width = ranks.shape[1]
    rows = np.arange(len(ranks))
    parts: list[tuple[NDArray[np.intp], Keys, NDArray[np.int8]]] = []
    for first, second in combinations(range(int(counts.max(initial=0))), 2):
        those = rows[counts > second]
        left, right = order[those, first], order[those, second]
        keys = (judgements.segments[those].astype(np.int64) * width + left) * width + right
        parts.append((those, keys, np.sign(ranks[those, left] - ranks[those, right])))
    if not parts:
        nothing = np.zeros(0, dtype=np.int32)
        return _Compared(nothing.astype(np.int64), nothing, nothing, nothing.astype(np.int8))
    by, pairs, outcomes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _Compared(pairs, judgements.segments[by], judgements.annotators[by], outcomes)


def _intra(rows: _Compared) -> Agreement:
    known = rows.annotators != UNIDENTIFIED
    people = int(rows.annotators.max(initial=0)) + 1
    _, pairs = np.unique(rows.pairs[known], return_inverse=True)
    own = pairs.astype(np.int64) * people + rows.annotators[known]
    _, codes, times = np.unique(own, return_inverse=True, return_counts=True)
    judged = rows.segments.astype(np.int64) * people + rows.annotators
    again = np.unique(judged[known][times[codes] > 1])
    chance = _chance(rows, known & np.isin(judged, again))
    return Agreement(*_agreeing(own, rows.outcomes[known]), chance)


def _agreeing(keys: Keys, outcomes: NDArray[np.int8]) -> tuple[int, int]:
    """Return the pairs of rows with equal key and outcome, and all pairs with equal key."""
    _, alike = np.unique(keys * 3 + outcomes + 1, return_counts=True)
    _, together = np.unique(keys, return_counts=True)
    return _pairs(alike), _pairs(together)


def _pairs(counts: NDArray[np.intp]) -> int:
    return int((counts.astype(np.int64) * (counts - 1) // 2).sum())


def _chance(rows: _Compared, chosen: NDArray[np.bool_]) -> Chance:
    tied = int(np.count_nonzero(rows.outcomes[chosen] == 0))
    return Chance(tied, int(np.count_nonzero(chosen)) - tied)

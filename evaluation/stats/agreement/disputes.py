"""The segments with the least agreement, and the sentences on which systems differ most."""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.comparisons import pairs_of_judgements
from evaluation.stats.judgements import MISSING, Judgements, Ranks
from evaluation.stats.units import SENTENCES
from evaluation.stats.wins import CellWins, count_cells

Counts = NDArray[np.int64]
LIMIT: Final = 30


@dataclass(frozen=True)
class Dispute:
    """Agreement on one segment (its id), over pairs of judgements and pairs of candidates.

    Both judgements agree on `agree` of `compared` pairs of candidates; on `reversed` one orders the
    candidates the other way round. All unidentified annotators count as one of `annotators`.
    `words` is the segment's source text, "" if unknown: callers add it.
    """

    segment: int
    sentence: int
    judgements: int
    annotators: int
    agree: int
    reversed: int
    compared: int
    words: str = ""


@dataclass(frozen=True)
class Contrast:
    """The best and the worst system on a sentence (its number), by net wins from -1 to 1.

    `spread` is the difference of their net wins.
    """

    sentence: int
    judgements: int
    best: str
    best_score: float
    worst: str
    worst_score: float
    spread: float


def most_disputed(judgements: Judgements, *, limit: int = LIMIT) -> list[Dispute]:
    """Return the segments with the least agreement, except those with full agreement.

    They are sorted by (agree + 1) / (compared + 2), Laplace's rule of succession, so that a single
    pair does not come before many; of equal shares, the one with more reversed pairs comes first.
    """
    segments = len(judgements.segment_ids)
    agree, opposed, compared = np.zeros((3, segments), dtype=np.int64)
    for left, right in pairs_of_judgements(judgements.segments):
        codes = judgements.segments[left]
        ranks = judgements.candidate_ranks
        for total, counts in zip(
            (agree, opposed, compared), compare_ranks(ranks[left], ranks[right]), strict=True
        ):
            total += np.bincount(codes, weights=counts, minlength=segments).astype(np.int64)
    disputed = np.flatnonzero(agree < compared)
    share = (agree[disputed] + 1) / (compared[disputed] + 2)
    order = np.lexsort((-opposed[disputed], share))
    return [
        _dispute(judgements, int(code), int(agree[code]), int(opposed[code]), int(compared[code]))
        for code in disputed[order][:limit]
    ]


def compare_ranks(left: Ranks, right: Ranks) -> tuple[Counts, Counts, Counts]:
    """Return, by row, the pairs of candidates that agree, are reversed, and are compared."""
    alike, opposed, compared = np.zeros((3, len(left)), dtype=np.int64)
    shared = (left != MISSING) & (right != MISSING)
    for x, y in combinations(range(left.shape[1]), 2):
        both = shared[:, x] & shared[:, y]
        one, other = np.sign(left[:, x] - left[:, y]), np.sign(right[:, x] - right[:, y])
        compared += both
        alike += both & (one == other)
        opposed += both & (one == -other) & (one != 0)
    return alike, opposed, compared


def _dispute(judgements: Judgements, code: int, agree: int, opposed: int, compared: int) -> Dispute:
    rows = judgements.segments == code
    return Dispute(
        segment=int(judgements.segment_ids[code]),
        sentence=int(judgements.sentence_numbers[judgements.sentences[rows][0]]),
        judgements=int(np.count_nonzero(rows)),
        annotators=len(np.unique(judgements.annotators[rows])),
        agree=agree,
        reversed=opposed,
        compared=compared,
    )


def most_contrasting(
    judgements: Judgements, *, limit: int = LIMIT, cells: CellWins | None = None
) -> list[Contrast]:
    """Return the sentences with the largest difference between the best and the worst system.

    A system's score is (wins - losses) / (comparisons + opponents), smoothed by one segment on
    which all systems tie. Sentences on which all systems tie are left out. `cells` are
    `count_cells(judgements)`, if counted already.
    """
    systems = len(judgements.system_names)
    if systems < 2 or not len(judgements):
        return []
    if cells is None or judgements.unit != SENTENCES:
        cells = count_cells(judgements.sampled_by(SENTENCES))
    counted = cells.by_sentence
    # The contribution of each count to each system, so a matrix product covers all sentences.
    units = counted.tables(np.eye(counted.counts.shape[1]))
    net = counted.counts @ (units.wins - units.losses).sum(axis=2)
    scores = net / (counted.counts @ units.compared.sum(axis=2) + systems - 1)
    spread = scores.max(axis=1) - scores.min(axis=1)
    # In the order of the counts: by code, without unjudged sentences.
    codes, times = np.unique(judgements.sentences, return_counts=True)
    order = np.argsort(-spread, kind="stable")[:limit]
    return [
        _contrast(judgements, int(codes[place]), int(times[place]), scores[place])
        for place in order
        if spread[place] > 0
    ]


def _contrast(
    judgements: Judgements, code: int, times: int, scores: NDArray[np.float64]
) -> Contrast:
    best, worst = int(scores.argmax()), int(scores.argmin())
    return Contrast(
        sentence=int(judgements.sentence_numbers[code]),
        judgements=times,
        best=judgements.system_names[best],
        best_score=float(scores[best]),
        worst=judgements.system_names[worst],
        worst_score=float(scores[worst]),
        spread=float(scores[best] - scores[worst]),
    )

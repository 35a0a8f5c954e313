"""Comparisons of systems that are no judgements: of one text with itself, and of missing ones.

Systems whose candidates of a segment are equal share one candidate. They have the same rank, but
no annotator compared them. Systems without a candidate are not compared at all.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import MISSING, NO_CANDIDATE, Judgements
from evaluation.stats.resampling import number_sentences, shares


@dataclass(frozen=True, eq=False)
class SameTexts:
    """Systems × systems, symmetric, with 0 on the diagonal: judgements by what the pair has.

    `same_text`: one candidate; `ties`: two candidates on one rank; `decided`: two on different
    ranks. `missing` is the share of judged segments without a candidate of the system, where it
    could have one; NaN if nothing was judged, or if files say only which systems were ranked.
    """

    same_text: NDArray[np.int64]
    ties: NDArray[np.int64]
    decided: NDArray[np.int64]
    missing: NDArray[np.float64]


def systems_asked(
    judgements: Judgements, on_sheets: Collection[tuple[int, str]]
) -> NDArray[np.bool_] | None:
    """Return J × systems: whether the sheet of the judgement shows the system.

    `on_sheets` has the number of the sheet and the system; None, for all, if it is empty.
    """
    if not on_sheets:
        return None
    systems = judgements.system_names
    sheets = judgements.sheets.tolist()
    shown = [[(sheet, name) in on_sheets for name in systems] for sheet in sheets]
    return np.array(shown, dtype=np.bool_).reshape(len(sheets), len(systems))


def count_same_texts(judgements: Judgements, asked: NDArray[np.bool_] | None = None) -> SameTexts:
    """Count what pairs of systems have in each judgement, and the segments that systems lack.

    `asked` (J × systems) says which systems a judgement is about; by default all.
    """
    ranks, candidates = judgements.system_ranks, judgements.system_candidates
    systems = ranks.shape[1]
    same_text, ties, decided = np.zeros((3, systems, systems), dtype=np.int64)
    for x, y in combinations(range(systems), 2):
        both = (ranks[:, x] != MISSING) & (ranks[:, y] != MISSING)
        same = both & (candidates[:, x] == candidates[:, y])
        level = both & (ranks[:, x] == ranks[:, y])
        same_text[x, y] = same_text[y, x] = same.sum()
        ties[x, y] = ties[y, x] = (level & ~same).sum()
        decided[x, y] = decided[y, x] = (both & ~level).sum()
    segments, count = number_sentences(judgements.segments)
    has, may = np.zeros((2, count, systems), dtype=np.bool_)
    for system in range(systems):
        has[segments[candidates[:, system] != NO_CANDIDATE], system] = True
        may[segments if asked is None else segments[asked[:, system]], system] = True
    missing = 1 - shares((has & may).sum(axis=0).astype(float), may.sum(axis=0).astype(float))
    return SameTexts(same_text, ties, decided, missing)

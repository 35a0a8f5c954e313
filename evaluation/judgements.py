"""All judgements of a project as dense arrays: what every figure is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[np.int32]
Ranks = NDArray[np.int16]

MISSING: Final = 0
# Worse than every rank, so that plain comparison is right (method.md, "A judgement").
GARBAGE: Final = int(np.iinfo(np.int16).max)
UNIDENTIFIED: Final = -1


@dataclass(frozen=True, eq=False)
class Judgements:
    """What was judged, a row a judgement; ranks are 1..N, GARBAGE, or MISSING, smaller is better.

    Shapes, for J judgements: `candidate_ranks` J × the most candidates that a segment has, a
    column being a candidate's place in its segment; `system_ranks` J × systems, a system having
    the rank of the candidate it produced; `segments`, `sentences` and `annotators` J codes, which
    are positions in `segment_ids`, `sentence_numbers` and `annotator_names` (or UNIDENTIFIED: we
    cannot tell whose judgement it is); `seconds` J seconds, NaN where unknown. Arrays are
    read-only. Raises ValueError where shapes differ.
    """

    candidate_ranks: Ranks
    system_ranks: Ranks
    segments: Codes
    sentences: Codes
    annotators: Codes
    seconds: NDArray[np.float64]
    segment_ids: NDArray[np.int64]
    sentence_numbers: NDArray[np.int64]
    annotator_names: tuple[str, ...]
    system_names: tuple[str, ...]

    def __post_init__(self) -> None:
        rows = {
            len(array)
            for array in (
                self.candidate_ranks,
                self.system_ranks,
                self.segments,
                self.sentences,
                self.annotators,
                self.seconds,
            )
        }
        if len(rows) != 1:
            raise ValueError(f"The arrays of judgements differ in length: {sorted(rows)}.")
        if self.system_ranks.shape[1] != len(self.system_names):
            raise ValueError("There must be one column of ranks for each system.")
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __len__(self) -> int:
        return len(self.segments)

    @cached_property
    def sentences_judged(self) -> int:
        """The number of different sentences that were judged."""
        return len(np.unique(self.sentences))


def assemble(
    *,
    segments: ArrayLike,
    sentences: ArrayLike,
    annotators: ArrayLike,
    seconds: ArrayLike,
    placed_by: ArrayLike,
    placed_candidates: ArrayLike,
    placed_ranks: ArrayLike,
    candidate_segments: ArrayLike,
    producing_systems: ArrayLike,
    produced_candidates: ArrayLike,
    segment_ids: ArrayLike,
    sentence_numbers: ArrayLike,
    annotator_names: Sequence[str],
    system_names: Sequence[str],
) -> Judgements:
    """Lay out flat lists of placements as the dense arrays of Judgements.

    `segments`, `sentences`, `annotators` and `seconds` have one element a judgement;
    `placed_by` (row of the judgement), `placed_candidates` (code) and `placed_ranks` (1..N or
    GARBAGE) one a placement; `candidate_segments` (code) one a candidate; `producing_systems` and
    `produced_candidates` (codes) one for each system and segment where it has a candidate.
    Raises ValueError where a judgement places a candidate of another segment.
    """
    segment_codes = _codes(segments)
    segment_of = _codes(candidate_segments)
    by, candidates = _codes(placed_by), _codes(placed_candidates)
    if np.any(segment_of[candidates] != segment_codes[by]):
        raise ValueError("A judgement places a candidate of another segment.")
    slots = _slots(segment_of)
    # Column by column in memory, since every figure compares whole columns.
    shape = (len(segment_codes), int(slots.max(initial=-1)) + 1)
    candidate_ranks = np.full(shape, MISSING, dtype=np.int16, order="F")
    candidate_ranks[by, slots[candidates]] = np.asarray(placed_ranks, dtype=np.int16)
    ids = np.array(segment_ids, dtype=np.int64)
    system_slots = np.full((len(ids), len(system_names)), -1, dtype=np.int16)
    produced = _codes(produced_candidates)
    system_slots[segment_of[produced], _codes(producing_systems)] = slots[produced]
    return Judgements(
        candidate_ranks=candidate_ranks,
        system_ranks=_system_ranks(candidate_ranks, segment_codes, system_slots),
        segments=segment_codes.copy(),
        sentences=_codes(sentences).copy(),
        annotators=_codes(annotators).copy(),
        seconds=np.array(seconds, dtype=np.float64),
        segment_ids=ids,
        sentence_numbers=np.array(sentence_numbers, dtype=np.int64),
        annotator_names=tuple(annotator_names),
        system_names=tuple(system_names),
    )


def _codes(values: ArrayLike) -> Codes:
    return np.asarray(values, dtype=np.int32).reshape(-1)


def _slots(segment_of: Codes) -> NDArray[np.int16]:
    """Number the candidates of each segment from 0, in their order."""
    order = np.argsort(segment_of, kind="stable")
    grouped = segment_of[order]
    slots = np.empty(len(order), dtype=np.int16)
    slots[order] = np.arange(len(order)) - np.searchsorted(grouped, grouped)
    return slots


def _system_ranks(
    candidate_ranks: Ranks, segments: Codes, system_slots: NDArray[np.int16]
) -> Ranks:
    """Give each system the rank of its candidate; MISSING where it has none."""
    rows = np.arange(len(segments))
    ranks = np.full((len(segments), system_slots.shape[1]), MISSING, dtype=np.int16, order="F")
    for system in range(system_slots.shape[1]):
        slots = system_slots[segments, system]
        present = slots >= 0
        ranks[present, system] = candidate_ranks[rows[present], slots[present]]
    return ranks

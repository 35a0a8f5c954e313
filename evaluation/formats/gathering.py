"""Judgements from files, gathered one at a time and laid out as arrays."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.stats.judgements import UNIDENTIFIED, Judgements, assemble


class Placed(NamedTuple):
    """A candidate's rank (1..N or GARBAGE), who made it, and where it stood (0 = unknown)."""

    candidate: Hashable
    systems: Sequence[str]
    rank: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """One judgement; `sentence` is anything that tells the sentences of the files apart."""

    segment: Hashable
    sentence: Hashable
    number: int
    annotator: str | None
    placed: Sequence[Placed]
    seconds: float | None = None
    created: float | None = None


class Codes(dict[Hashable, int]):
    """Numbers keys from 0 in the order of their first appearance."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = len(self)
        return self[key]


class Gathering:
    """Gathers judgements, and the systems of which the files know."""

    def __init__(self, systems: Sequence[str] = ()) -> None:
        self._systems: dict[str, int] = {name: code for code, name in enumerate(systems)}
        self._annotators: dict[str, int] = {}
        self._segments, self._sentences, self._candidates = Codes(), Codes(), Codes()
        self._numbers: list[int] = []
        self._candidate_segments: list[int] = []
        self._produced: list[tuple[int, int]] = []
        self._judged: list[tuple[int, int, int, float, float]] = []
        self._placed: list[tuple[int, int, int, int]] = []

    def add(self, judgement: Gathered) -> None:
        """Add one judgement. All its systems must be known, and no candidate stand in it twice."""
        segment = self._segments[judgement.segment]
        sentence = self._sentences[judgement.sentence]
        if sentence == len(self._numbers):
            self._numbers.append(judgement.number)
        row = len(self._judged)
        for placed in judgement.placed:
            code = self._candidate(segment, placed)
            self._placed.append((row, code, placed.rank, placed.position))
        self._judged.append(
            (
                segment,
                sentence,
                self._annotator(judgement.annotator),
                _or_nan(judgement.seconds),
                _or_nan(judgement.created),
            )
        )

    def judgements(self) -> Judgements:
        """Lay them out, in the order in which they were added. Raises InputError, as `assemble`."""
        judged = np.array(self._judged, dtype=np.float64).reshape(-1, 5)
        placed = np.array(self._placed, dtype=np.int64).reshape(-1, 4)
        produced = np.array(self._produced, dtype=np.int64).reshape(-1, 2)
        return assemble(
            segments=judged[:, 0],
            sentences=judged[:, 1],
            annotators=judged[:, 2],
            seconds=judged[:, 3],
            created=judged[:, 4],
            placed_by=placed[:, 0],
            placed_candidates=placed[:, 1],
            placed_ranks=placed[:, 2],
            shown_by=placed[:, 0],
            shown_candidates=placed[:, 1],
            shown_positions=placed[:, 3],
            candidate_segments=self._candidate_segments,
            producing_systems=produced[:, 0],
            produced_candidates=produced[:, 1],
            segment_ids=np.arange(len(self._segments)),
            sentence_numbers=self._numbers,
            annotator_names=list(self._annotators),
            system_names=list(self._systems),
        )

    def _candidate(self, segment: int, placed: Placed) -> int:
        code = self._candidates[segment, placed.candidate]
        if code == len(self._candidate_segments):
            self._candidate_segments.append(segment)
            self._produced += [(self._systems[name], code) for name in placed.systems]
        return code

    def _annotator(self, name: str | None) -> int:
        if name is None:
            return UNIDENTIFIED
        return self._annotators.setdefault(name, len(self._annotators))


def _or_nan(number: float | None) -> float:
    return np.nan if number is None else number

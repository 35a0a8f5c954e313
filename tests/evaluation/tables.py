"""Judgements as literal tables, so that results can be checked by hand; and by plain loops."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.stats.judgements import GARBAGE, UNIDENTIFIED, Judgements, assemble
from evaluation.stats.wins import count_wins

G = GARBAGE
# Segment, annotator (None = unidentified), the ranks of its candidates (0 = was not placed).
Row = tuple[str, str | None, Sequence[int]]


def judged(
    rows: Sequence[Row],
    *,
    systems: Sequence[str] = ("A", "B", "C", "D", "E"),
    made: Mapping[str, Sequence[int | None]] | None = None,
    sentences: dict[str, int] | None = None,
    seconds: Sequence[float] | None = None,
    created: Sequence[float] | None = None,
    shown: Sequence[Sequence[int]] | None = None,
) -> Judgements:
    """Lay out the rows; `made` says which candidate each system made of a segment.

    Without `made` the first system made the first candidate, and so on. Without `sentences`
    every segment is a sentence of its own. `shown` says where the candidates of each row stood.
    """
    segments = sorted({row[0] for row in rows})
    people = sorted({row[1] for row in rows if row[1] is not None})
    sizes = [max(len(ranks) for name, _, ranks in rows if name == segment) for segment in segments]
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    produced = []
    for segment, size, start in zip(segments, sizes, starts, strict=True):
        choices = made[segment] if made else range(min(size, len(systems)))
        produced += [(s, start + slot) for s, slot in enumerate(choices) if slot is not None]
    placed = [
        (row, starts[segments.index(segment)] + slot, rank)
        for row, (segment, _, ranks) in enumerate(rows)
        for slot, rank in enumerate(ranks)
        if rank
    ]
    numbers = [sentences[name] if sentences else segments.index(name) + 1 for name, _, _ in rows]
    known, sentence_codes = np.unique(np.array(numbers, dtype=int), return_inverse=True)
    return assemble(
        segments=[segments.index(name) for name, _, _ in rows],
        sentences=sentence_codes,
        annotators=[UNIDENTIFIED if who is None else people.index(who) for _, who, _ in rows],
        seconds=[60.0] * len(rows) if seconds is None else seconds,
        created=created,
        shown_by=[row for row, stood in enumerate(shown or ()) for _ in stood],
        shown_candidates=[
            starts[segments.index(rows[row][0])] + slot
            for row, stood in enumerate(shown or ())
            for slot in range(len(stood))
        ],
        shown_positions=[position for stood in shown or () for position in stood],
        placed_by=[row for row, _, _ in placed],
        placed_candidates=[candidate for _, candidate, _ in placed],
        placed_ranks=[rank for _, _, rank in placed],
        candidate_segments=np.repeat(np.arange(len(segments)), sizes),
        producing_systems=[system for system, _ in produced],
        produced_candidates=[candidate for _, candidate in produced],
        segment_ids=np.arange(len(segments)),
        sentence_numbers=known,
        annotator_names=people,
        system_names=list(systems),
    )


def order(left: int, right: int) -> int:
    return (left > right) - (left < right)


def slow_chance(rows: Sequence[Row]) -> tuple[int, int]:
    """Tied and untied pairs of candidates, by plain loops."""
    outcomes = [order(*pair) for _, _, ranks in rows for pair in combinations(ranks, 2)]
    return outcomes.count(0), len(outcomes) - outcomes.count(0)


def slow_agreement(
    rows: Sequence[Row], *, same: bool, involving: str | None = None
) -> tuple[int, int]:
    """Agreeing and compared pairs of candidates, by plain loops."""
    agree = compared = 0
    for (segment, one, left), (other_segment, other, right) in combinations(rows, 2):
        if segment != other_segment or None in (one, other) or (one == other) != same:
            continue
        if involving is not None and involving not in (one, other):
            continue
        for x, y in combinations(range(len(left)), 2):
            compared += 1
            agree += order(left[x], left[y]) == order(right[x], right[y])
    return agree, compared


def slow_wins(
    rows: Sequence[Row], made: Mapping[str, Sequence[int | None]], system: int
) -> list[int]:
    """Wins, losses and ties of a system, by plain loops."""
    counts = [0, 0, 0]
    for segment, _, ranks in rows:
        own = made[segment][system]
        if own is None:
            continue
        for other, slot in enumerate(made[segment]):
            if other != system and slot is not None:
                counts[{-1: 0, 1: 1, 0: 2}[order(ranks[own], ranks[slot])]] += 1
    return counts


def pair_counts(judgements: Judgements) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wins and ties of the row against the column, over all judgements."""
    total = count_wins(judgements).total()
    return total.wins[0], total.ties[0]


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Up to 12 judgements of up to 4 segments of 1 to 5 candidates by up to 3 people or unknown."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    rows: list[Row] = []
    for _ in range(draw(st.integers(0, 12))):
        segment = draw(st.integers(0, len(sizes) - 1))
        rank = st.integers(1, sizes[segment]) | st.just(G)
        ranks = draw(st.lists(rank, min_size=sizes[segment], max_size=sizes[segment]))
        who = draw(st.sampled_from(["jana", "petr", "zuzana", None]))
        rows.append((f"segment {segment}", who, ranks))
    return rows


@st.composite
def tables_with_systems(draw: st.DrawFn) -> tuple[list[Row], Mapping[str, Sequence[int | None]]]:
    """A table, and what each of three systems made of its segments (None: nothing)."""
    rows = draw(tables())
    sizes = {segment: len(ranks) for segment, _, ranks in rows}
    made = {
        segment: draw(st.lists(st.none() | st.integers(0, size - 1), min_size=3, max_size=3))
        for segment, size in sizes.items()
    }
    return rows, made

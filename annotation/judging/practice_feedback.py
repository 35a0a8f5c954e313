"""Showing an annotator where his order of the cards and the right one differ."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from annotation.judging.practice import Row, SegmentFeedback, order


@dataclass(frozen=True)
class Compared:
    """A card in the annotator's order.

    `moved` says where it would have to go for the order to be right: "higher", "lower",
    "elsewhere", or "" where it may stay.
    """

    text: str
    moved: str


@dataclass(frozen=True)
class Level:
    """Cards of the same quality: `number` counts from 1, None is the garbage bin."""

    number: int | None
    cards: list[Compared]


@dataclass(frozen=True)
class ComparedSegment:
    """A practised segment: the order of the annotator (`yours`) beside the right one."""

    feedback: SegmentFeedback
    yours: list[Level] = field(default_factory=list)
    right: list[Level] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether one list can stand for both."""
        return [_look(level) for level in self.yours] == [_look(level) for level in self.right]


def compared(segment: SegmentFeedback) -> ComparedSegment:
    """Return both orders, with a mark at those cards of the annotator's that have to move.

    Empty ranks are left out, since only the order counts.
    """
    marks = _moved(segment.rows)
    return ComparedSegment(
        feedback=segment,
        yours=_levels(
            (row.yours, Compared(row.text, marks.get(at, "")))
            for at, row in enumerate(segment.rows)
        ),
        right=_levels((row.right, Compared(row.text, "")) for row in segment.rows),
    )


def _levels(placed: Iterable[tuple[int | None, Compared]]) -> list[Level]:
    by_rank: dict[int | None, list[Compared]] = {}
    for rank, card in placed:
        by_rank.setdefault(rank, []).append(card)
    ranks = sorted(rank for rank in by_rank if rank is not None)
    levels = [Level(number, by_rank[rank]) for number, rank in enumerate(ranks, start=1)]
    return levels + ([Level(None, by_rank[None])] if None in by_rank else [])


def _look(level: Level) -> tuple[int | None, list[str]]:
    return level.number, sorted(card.text for card in level.cards)


def _moved(rows: Sequence[Row]) -> dict[int, str]:
    """Return where which rows have to move, by their places: as few rows as explain it all.

    Those in most of the pairs that are wrong are marked first, until no wrong pair is left.
    """
    # By pairs: 1 where the first one has to go below the second, as seen from where they stand.
    wrong: dict[tuple[int, int], int] = {}
    for (a, one), (b, other) in combinations(enumerate(rows), 2):
        difference = order(one.right, other.right) - order(one.yours, other.yours)
        if difference:
            wrong[a, b] = 1 if difference > 0 else -1
    marks: dict[int, str] = {}
    while wrong:
        involved = [place for pair in wrong for place in pair]
        most = max(map(involved.count, involved))
        worst = {place for place in involved if involved.count(place) == most}
        down = {place: _down(place, wrong) for place in worst}
        # In a list turned upside down the middle may stay, where the ends show what is wrong.
        moving = {place for place in worst if down[place]} or worst
        for place in moving:
            marks[place] = {1: "lower", -1: "higher"}.get(_sign(down[place]), "elsewhere")
        wrong = {pair: way for pair, way in wrong.items() if not moving & set(pair)}
    return marks


def _down(place: int, wrong: dict[tuple[int, int], int]) -> int:
    """Return by how many more of the wrong pairs it has to go down than up."""
    return sum(way if pair[0] == place else -way for pair, way in wrong.items() if place in pair)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

"""Which systems stand beside each other on the sheets of a document, and where it is cut.

The design is balanced: each system is on one sheet of each document, and pairs of systems meet
about equally often.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Final

# Random divisions that are compared for each document.
TRIES: Final = 20

# How often two systems, in alphabetical order, are on one sheet.
Meetings = Counter[tuple[str, str]]


def divide_systems(
    systems: Sequence[str], most: int, met: Meetings, rng: Random, *, fewest: int = 1
) -> list[list[str]]:
    """Return the systems in groups of at most `most`, which differ by one system at most.

    Where some groups would have less than `fewest`, there are fewer and larger ones.

    Of some random divisions it is the one in which systems meet that have `met` least; its
    meetings are added to `met`.
    """
    divisions = [_divide(systems, most, fewest, rng) for _try in range(TRIES if most > 1 else 1)]
    best = min(divisions, key=lambda groups: sum(met[pair] for pair in _pairs(groups)))
    met.update(_pairs(best))
    return best


def cut_evenly(count: int, most: int) -> list[range]:
    """Return the places of `count` paragraphs in parts of at most `most`, of about equal length."""
    parts = -(-count // most)
    borders = [count * part // parts for part in range(parts + 1)]
    return [range(start, end) for start, end in pairwise(borders)]


def _divide(systems: Sequence[str], most: int, fewest: int, rng: Random) -> list[list[str]]:
    shuffled = list(systems)
    rng.shuffle(shuffled)
    while len(shuffled) // -(-len(shuffled) // most) < fewest < len(shuffled):
        most += 1
    return [[shuffled[place] for place in part] for part in cut_evenly(len(shuffled), most)]


def _pairs(groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    return [(one, other) for group in groups for one, other in combinations(sorted(group), 2)]

"""Which systems stand beside each other on the sheets of a document, and where it is cut.

Where every system is judged on every document, each is on one sheet of it. Where only some are, the
design is balanced: pairs of systems meet about equally often.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from random import Random
from typing import Final

# Random divisions that are compared for each document.
TRIES: Final = 20
# Exchanges of two systems that are tried for each sheet of a balanced design.
EXCHANGES: Final = 2000
# Exchanges that are tried in all: some tens of seconds in the largest projects.
MOST_EXCHANGES: Final = 1_000_000

# How often two systems, in alphabetical order, are on one sheet.
Meetings = Counter[tuple[str, str]]
# The systems of a sheet, by their numbers from 0.
Group = tuple[int, ...]


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


@lru_cache(maxsize=4)
def balanced_groups(
    systems: int, size: int, documents: int, sheets: int, seed: int
) -> tuple[tuple[Group, ...], ...]:
    """Return, by document, the groups of `size` systems that stand on each of its `sheets`.

    Systems are on equally many sheets, ± 1, and so is each pair of them, as far as exchanges find
    such a design: else some pairs meet once more or less often than the mean. A system is on
    several sheets of a document only where the sheets have more places than there are systems.
    Systems are numbered at random, so that each group is as probable as any other before the seed
    is known.

    The groups are filled with the systems that were used and have met least; then systems of two
    sheets are exchanged as long as that makes the numbers of meetings more equal.
    """
    size = min(size, systems)
    # So many sheets of a document follow each other without a system that is on two of them.
    exclusive = max(min(sheets, systems // size), 1)
    rng = Random(f"{seed} balanced")  # noqa: S311
    met = [[0] * systems for _system in range(systems)]
    used = [0] * systems
    rows: list[list[int]] = []
    for _document in range(documents):
        taken: set[int] = set()
        for sheet in range(sheets):
            if sheet % exclusive == 0:
                taken = set()
            group: list[int] = []
            while len(group) < size:
                free = [one for one in range(systems) if one not in taken and one not in group]
                best = min(
                    free,
                    key=lambda one: (
                        used[one],
                        sum(met[one][other] for other in group),
                        rng.random(),
                    ),
                )
                for other in group:
                    met[best][other] += 1
                    met[other][best] += 1
                used[best] += 1
                group.append(best)
            taken.update(group)
            rows.append(group)
    if size > 1:
        _exchange(rows, met, sheets, exclusive, rng)
    labels = list(range(systems))
    rng.shuffle(labels)
    groups = [tuple(labels[one] for one in group) for group in rows]
    return tuple(
        tuple(groups[start : start + sheets]) for start in range(0, len(groups), sheets or 1)
    )


def _exchange(
    rows: list[list[int]], met: list[list[int]], sheets: int, exclusive: int, rng: Random
) -> None:
    """Exchange systems of two sheets until pairs meet equally often, ± 1, or for long enough.

    An exchange is kept if the sum of the squares of the meetings does not grow.
    """
    size = len(rows[0]) if rows else 0

    def block(row: int) -> range:
        """Return the sheets of a document on which no system may stand twice."""
        first = row - row % sheets
        start = first + (row - first) // exclusive * exclusive
        return range(start, min(start + exclusive, first + sheets))

    def stands_beside(system: int, row: int) -> bool:
        return any(system in rows[one] for one in block(row) if one != row)

    for number in range(min(EXCHANGES * len(rows), MOST_EXCHANGES)):
        if number % 100 == 0 and _is_balanced(met):
            return
        one, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        place, place_of_other = rng.randrange(size), rng.randrange(size)
        given, taken = rows[one][place], rows[other][place_of_other]
        if one == other or given in rows[other] or taken in rows[one]:
            continue
        if block(one) != block(other) and (
            stands_beside(taken, one) or stands_beside(given, other)
        ):
            continue
        stay = [system for system in rows[one] if system != given]
        stay_other = [system for system in rows[other] if system != taken]
        changes: Counter[tuple[int, int]] = Counter()
        for system in stay:
            changes[min(given, system), max(given, system)] -= 1
            changes[min(taken, system), max(taken, system)] += 1
        for system in stay_other:
            changes[min(taken, system), max(taken, system)] -= 1
            changes[min(given, system), max(given, system)] += 1
        # (m + c)² - m² of each pair that meets more or less often.
        if sum(by * (2 * met[low][high] + by) for (low, high), by in changes.items()) > 0:
            continue
        rows[one][place], rows[other][place_of_other] = taken, given
        for (low, high), by in changes.items():
            met[low][high] += by
            met[high][low] += by


def _is_balanced(met: list[list[int]]) -> bool:
    counts = [met[one][other] for one, other in combinations(range(len(met)), 2)]
    return not counts or max(counts) - min(counts) <= 1


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

"""Segments for the predicates that Algorithm 1 leaves out: `--coverage predicates`."""

from collections.abc import Sequence

from annotation.preparation.predicates import Predicate, Segment, predicates
from annotation.preparation.trees import Node

# A verb alone is no phrase to judge.
SHORTEST = 2


def cover_predicates(
    tree: Node, segments: Sequence[Segment], min_length: int, max_length: int
) -> list[Segment]:
    """Return the segments and one for every predicate whose verb is in none, left to right.

    Such a segment has at most `max_length` tokens, with gaps where the words stand apart, and
    `min_length` where its clause has words to join, but 2 are enough; a verb that has nothing
    beside it gets none. Neighbours share one where both fit in. It may share tokens with other
    segments: the head of an object, say.
    """
    covered = {position for segment in segments for position in segment}
    added: list[Segment] = []
    for predicate in predicates(tree):
        if predicate.verb in covered:
            continue
        segment = _segment(predicate, min_length, max_length)
        if len(segment) < min(SHORTEST, max(min_length, 1)):
            continue
        if added and _join(added[-1], segment, max_length):
            segment = tuple(sorted({*added.pop(), *segment}))
        added.append(segment)
        covered |= set(segment)
    return sorted([*segments, *added])


def _join(first: Segment, second: Segment, max_length: int) -> bool:
    """Tell whether two predicates may share a segment: I think | he knows."""
    # One word may stand between: I think | that | he knows.
    near = bool(set(first) & set(second)) or second[0] - first[-1] <= 2
    return near and len({*first, *second}) <= max_length


def _segment(predicate: Predicate, min_length: int, max_length: int) -> Segment:
    # Too long a chain of auxiliaries loses those that are furthest from the verb.
    nearest = sorted(predicate.core, key=lambda token: abs(token - predicate.verb))
    chosen = nearest[:max_length]
    for others, enough in ((predicate.beside, max_length), (predicate.more, min_length)):
        for token in others:
            if len(chosen) < min(enough, max_length) and token not in chosen:
                chosen.append(token)
    return tuple(sorted(chosen))

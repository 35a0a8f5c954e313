"""Trees out of spans."""

from collections.abc import Iterable, Sequence

from annotation.preparation.trees import Node, leaf

# (start, end, label): the tokens [start, end) are a phrase.
Span = tuple[int, int, str]


def tree_of(spans: Iterable[Span], tags: Sequence[str]) -> Node:
    """Return the tree whose phrases are `spans`, with its tags above the leaves.

    Spans come by their start, the longest first; none may cross another.
    """
    waiting = list(spans)
    waiting.reverse()

    def children(start: int, end: int) -> tuple[Node, ...]:
        found: list[Node] = []
        while start < end:
            if waiting and waiting[-1][0] == start and waiting[-1][1] <= end:
                _, stop, label = waiting.pop()
                found.append(Node(label, children(start, stop)))
                start = stop
            else:
                found.append(Node(tags[start], (leaf(start),)))
                start += 1
        return tuple(found)

    return Node("ROOT", children(0, len(tags)))

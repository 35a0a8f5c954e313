"""Which phrases of a sentence are judged: Algorithm 1 of the thesis."""

from annotation.preparation.trees import Node, leaves


def extract_segments(tree: Node, min_length: int, max_length: int) -> list[tuple[int, ...]]:
    """Return the segments of a tree, left to right, each a tuple of 0-based token positions.

    Algorithm 1 of the thesis (chapter 2): descend from the root; a node of at most
    `max_length` tokens is taken if it has at least `min_length`, and is never descended; a
    longer one hands on to its children, where a bare leaf is a node of length 1.
    """
    segments = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        positions = leaves(node)
        if len(positions) > max_length:
            waiting.extend(reversed(node.children))
        elif len(positions) >= max(min_length, 1):
            segments.append(positions)
    return segments

"""Algorithm 1 of the thesis: extract segments from a tree."""

from annotation.preparation.trees import Node, leaves


def extract_segments(tree: Node, min_length: int, max_length: int) -> list[tuple[int, ...]]:
    """Return the segments of a tree, left to right, each a tuple of 0-based token positions.

    Source: chapter 2 of the thesis. Starting at the root, a node of at most `max_length` tokens is
    a segment if it has at least `min_length` tokens; its descendants are not visited. The children
    of a longer node are visited; a bare leaf counts as a node of length 1.
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

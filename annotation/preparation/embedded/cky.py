"""CKY over many sentences at once: the tree whose spans have the highest total value.

The value of a span is its probability minus a threshold, so the best tree has the highest expected
number of correct phrases, and of correct segments by Algorithm 1 (Goodman 1996).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
# The greatest length of a segment.
LONGEST = 6


def best_spans(phrase: Floats, segment: Floats, lengths: Ints) -> Ints:
    """Return the phrases of the best tree of each sentence, as rows (sentence, start, end).

    `phrase` [b, n + 1, n + 1] is the value of the phrase [start, end) of a sentence, `segment`
    [b, n + 1, n + 1] its additional value if no phrase of at most 6 tokens contains it; `lengths`
    [b] are at most n and at least 1. Rows are sorted by sentence, outer phrases before inner ones,
    from left to right. A whole sentence is always a phrase, a single token never is.
    """
    inner, outer = _fill(_by_length(phrase), _by_length(segment))
    rows = _trace(inner, outer, lengths)
    order = np.lexsort((-rows[:, 2], rows[:, 1], rows[:, 0]))
    return rows[order]


def _by_length(worth: Floats) -> list[Floats]:
    """Rearrange [b, start, end] to [start, b] for each length."""
    size = worth.shape[1]
    return [np.ascontiguousarray(np.diagonal(worth, length, 1, 2).T) for length in range(size)]


class _Chart:
    """The values of the best trees over all spans, by their start and by their end."""

    def __init__(self, lengths: int, places: int, sentences: int) -> None:
        self.starting = np.zeros((lengths, places, sentences), dtype=np.float32)
        self.ending = np.zeros_like(self.starting)
        # Whether the span is a phrase in its best tree.
        self.taken = np.zeros(self.starting.shape, dtype=bool)

    def put(self, length: int, best: Floats, taken: Any) -> None:
        self.starting[length, : len(best)] = best
        self.ending[length, length : length + len(best)] = best
        self.taken[length, : len(best)] = taken

    def best_split(self, length: int) -> Floats:
        """Return the value of all spans of a length, at their best splits."""
        places = self.starting.shape[1] - length
        left = self.starting[1:length, :places]
        right = self.ending[length - 1 : 0 : -1, length:]
        best: Floats = (left + right).max(axis=0)
        return best

    def splits(self, length: int, starts: Ints, sentences: Ints) -> Ints:
        """Return the best splits of some spans of a length."""
        left = self.starting[1:length, starts, sentences]
        right = self.ending[length - 1 : 0 : -1, starts + length, sentences]
        best: Ints = (left + right).argmax(axis=0) + 1 + starts
        return best


def _fill(phrase: list[Floats], segment: list[Floats]) -> tuple[_Chart, _Chart]:
    """Return two charts: trees inside of a possible segment, and all others."""
    places, sentences = phrase[0].shape
    inner = _Chart(min(places, LONGEST + 1), places, sentences)
    outer = _Chart(places, places, sentences)
    for length in range(2, places):
        worth = phrase[length]
        best = outer.best_split(length)
        if length <= LONGEST:
            inside = inner.best_split(length)
            inner.put(length, inside + np.maximum(worth, 0), worth > 0)
            as_segment = inside + worth + segment[length]
            outer.put(length, np.maximum(as_segment, best), as_segment > best)
        else:
            outer.put(length, best + np.maximum(worth, 0), worth > 0)
    return inner, outer


def _trace(inner: _Chart, outer: _Chart, lengths: Ints) -> Ints:
    """Collect the phrases from whole sentences downwards, all spans of one length at a time."""
    found: list[Ints] = [np.zeros((0, 3), dtype=np.intp)]
    # For each length and chart: the sentences and starts of spans that are not split yet.
    waiting: dict[tuple[int, bool], list[tuple[Ints, Ints]]] = {}
    for length in set(lengths.tolist()):
        (sentences,) = np.nonzero(lengths == length)
        starts = np.zeros_like(sentences)
        waiting.setdefault((length, False), []).append((sentences, starts))
    for length in range(int(lengths.max()), 1, -1):
        for is_inner in (False, True):
            spans = waiting.pop((length, is_inner), None)
            if spans is None:
                continue
            sentences = np.concatenate([one for one, _ in spans])
            starts = np.concatenate([one for _, one in spans])
            chart = inner if is_inner else outer
            taken = chart.taken[length, starts, sentences] | (length == lengths[sentences])
            found.append(np.stack([sentences, starts, starts + length], axis=1)[taken])
            goes_in = taken & (length <= LONGEST) | is_inner
            for group, below in ((goes_in, inner), (~goes_in, outer)):
                if group.any():
                    at, begin = sentences[group], starts[group]
                    middle = below.splits(length, begin, at)
                    _wait(waiting, at, begin, middle, below is inner)
                    _wait(waiting, at, middle, begin + length, below is inner)
    return np.concatenate(found)


def _wait(
    waiting: dict[tuple[int, bool], list[tuple[Ints, Ints]]],
    sentences: Ints,
    starts: Ints,
    ends: Ints,
    is_inner: bool,
) -> None:
    sizes = ends - starts
    for size in np.unique(sizes):
        if size > 1:
            here = sizes == size
            waiting.setdefault((int(size), is_inner), []).append((sentences[here], starts[here]))

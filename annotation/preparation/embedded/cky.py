"""The best tree of a sentence, from the worth of its spans: CKY over many sentences at once.

Worths add up over the phrases of a tree; what is sought is the tree whose phrases, and whose
segments by Algorithm 1, are expected to be right most often above a threshold (Goodman 1996).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
# The longest segments; only phrases up to this length can be one.
LONGEST = 6


def best_spans(phrase: Floats, segment: Floats, lengths: Ints) -> Ints:
    """Return the phrases of the best tree of each sentence, as rows (sentence, start, end).

    `phrase` [b, n + 1, n + 1] is what the phrase [start, end) of a sentence is worth,
    `segment` [b, n + 1, n + 1] what it is worth more if no phrase of at most 6 tokens holds it;
    `lengths` [b] are at most n. Rows come by sentence, outer phrases before inner ones, from
    left to right; a whole sentence is always a phrase, a single token never is. No sentence may be
    without tokens.
    """
    inner, outer = _fill(_by_length(phrase), _by_length(segment))
    rows = _trace(inner, outer, lengths)
    order = np.lexsort((-rows[:, 2], rows[:, 1], rows[:, 0]))
    return rows[order]


def _by_length(worth: Floats) -> list[Floats]:
    """Turn [b, start, end] to [start, b] for each length, so that sentences stand together."""
    size = worth.shape[1]
    return [np.ascontiguousarray(np.diagonal(worth, length, 1, 2).T) for length in range(size)]


class _Chart:
    """The worth of the best trees over all spans, found by their start and by their end."""

    def __init__(self, lengths: int, places: int, sentences: int) -> None:
        self.starting = np.zeros((lengths, places, sentences), dtype=np.float32)
        self.ending = np.zeros_like(self.starting)
        # Is the span a phrase in its best tree?
        self.taken = np.zeros(self.starting.shape, dtype=bool)

    def put(self, length: int, best: Floats, taken: Any) -> None:
        self.starting[length, : len(best)] = best
        self.ending[length, length : length + len(best)] = best
        self.taken[length, : len(best)] = taken

    def best_split(self, length: int) -> Floats:
        """The worth of the two parts of all spans of a length, at the best of their splits."""
        places = self.starting.shape[1] - length
        left = self.starting[1:length, :places]
        right = self.ending[length - 1 : 0 : -1, length:]
        best: Floats = (left + right).max(axis=0)
        return best

    def splits(self, length: int, starts: Ints, sentences: Ints) -> Ints:
        """Where the best trees of some spans of a length are split."""
        left = self.starting[1:length, starts, sentences]
        right = self.ending[length - 1 : 0 : -1, starts + length, sentences]
        best: Ints = (left + right).argmax(axis=0) + 1 + starts
        return best


def _fill(phrase: list[Floats], segment: list[Floats]) -> tuple[_Chart, _Chart]:
    """Fill two charts: trees inside a phrase that may be a segment, and all others."""
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
    """Walk down from whole sentences, all spans of one length at a time."""
    found: list[Ints] = [np.zeros((0, 3), dtype=np.intp)]
    # For each length and chart: the sentences and the starts of spans yet to be split.
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

"""The parser of English that is part of SegRanks; it needs only numpy."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np

from annotation.preparation.embedded.blas import one_thread
from annotation.preparation.embedded.cky import LONGEST, Floats, Ints, best_spans
from annotation.preparation.embedded.model import Decoding, Model, description, shipped_model
from annotation.preparation.trees import Node, leaf

# (start, end, label): the tokens [start, end) are a phrase.
LabelledSpan = tuple[int, int, str]


def tree_of(spans: Iterable[LabelledSpan], tags: Sequence[str]) -> Node:
    """Return the tree whose phrases are `spans`, with its tags above the leaves.

    Spans are sorted by their start, the longest first; they must not cross.
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


# Sentences that are read ahead, because those of one length are scored together.
_AHEAD = 500
_WORDS_AHEAD = 20_000
# Words that are scored together; more are not faster.
_WORDS = 800
# numpy releases the GIL while it computes.
_THREADS = min(4, os.cpu_count() or 1)
# A longer sentence is parsed in parts, because time and memory grow with the square of its length.
# This also limits the depth of trees.
LONGEST_SENTENCE = 150
# The least length of a segment.
_SHORTEST = 3
_STOPS = frozenset(".!?;:…")

Parsed = tuple[list[LabelledSpan], list[str]]


class EmbeddedParser:
    """Parses English with a small network whose weights are in this package.

    A process loads the weights once, with its first sentence. Threads may share a parser.
    """

    name = "embedded"

    def __init__(self) -> None:
        self.version: str = description()["version"]

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        """Yield one tree for each list of tokens, with exactly its tokens as leaves.

        It reads at most 500 sentences ahead. Trees have Penn tags above the tokens. The tree of an
        empty list is a root; a list of more than 150 tokens is parsed in parts.
        """
        waiting = iter(sentences)
        while ahead := _read_ahead(waiting):
            yield from parse_all(ahead, shipped_model())


def _read_ahead(sentences: Iterator[list[str]]) -> list[list[str]]:
    """Return the next sentences, as many as are read ahead."""
    taken: list[list[str]] = []
    words = 0
    for sentence in islice(sentences, _AHEAD):
        taken.append(sentence)
        words += len(sentence)
        if words >= _WORDS_AHEAD:
            break
    return taken


def parse_all(sentences: Sequence[Sequence[str]], model: Model) -> Iterator[Node]:
    """Yield the trees of sentences that are scored together."""
    parts = [list(parts_of(sentence)) for sentence in sentences]
    trees = iter(_parse_parts([part for one in parts for part in one], model))
    for its_parts in parts:
        of_parts = [next(trees) for _ in its_parts]
        if len(of_parts) == 1:
            yield tree_of(*of_parts[0])
            continue
        spans: list[LabelledSpan] = []
        tags: list[str] = []
        for part_spans, part_tags in of_parts:
            spans += [(s + len(tags), e + len(tags), label) for s, e, label in part_spans]
            tags += part_tags
        yield tree_of(spans, tags)


def parts_of(sentence: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the sentence, or parts of at most 150 tokens that end at punctuation if possible."""
    while len(sentence) > LONGEST_SENTENCE:
        end = _pause(sentence[:LONGEST_SENTENCE])
        yield sentence[:end]
        sentence = sentence[end:]
    if sentence:
        yield sentence


def _pause(tokens: Sequence[str]) -> int:
    """Return the best end of a part: after a stop, or else a comma, in its second half."""
    half = len(tokens) // 2
    for marks in (_STOPS, {","}):
        for end in range(len(tokens), half, -1):
            if tokens[end - 1] in marks:
                return end
    return len(tokens)


def _parse_parts(parts: Sequence[Sequence[str]], model: Model) -> list[Parsed]:
    """Return the spans and tags of each part; parts of one length are scored together."""
    batches = list(_in_batches(parts))
    found: dict[int, Parsed] = {}
    with one_thread(), ThreadPoolExecutor(_THREADS) as threads:
        parsed = threads.map(
            lambda batch: parse_batch([parts[number] for number in batch], model), batches
        )
        for batch, of_batch in zip(batches, parsed, strict=True):
            found.update(zip(batch, of_batch, strict=True))
    return [found[number] for number in range(len(parts))]


def _in_batches(parts: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield batches of the numbers of parts of one length."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        by_length[len(part)].append(number)
    for length, numbers in by_length.items():
        # Plus two, because the edges of a sentence are words too.
        step = max(1, _WORDS // (length + 2))
        for first in range(0, len(numbers), step):
            yield numbers[first : first + step]


def parse_batch(sentences: Sequence[Sequence[str]], model: Model) -> list[Parsed]:
    """Return the spans and the tags of sentences of one length, of 1 to 150 tokens."""
    scores = model.network(sentences, model.pieces)
    rows = spans_of(scores.phrase, scores.segment, model.decoding)
    spans: list[list[LabelledSpan]] = [[] for _ in sentences]
    labels = scores.labels(rows).tolist()
    for (sentence, start, end), label in zip(rows.tolist(), labels, strict=True):
        spans[sentence].append((start, end, model.labels[label]))
    tags = [[model.tags[tag] for tag in row] for row in scores.tags.tolist()]
    return list(zip(spans, tags, strict=True))


def spans_of(phrase: Floats, segment: Floats, decoding: Decoding) -> Ints:
    """Return the best spans of sentences of one length as rows (sentence, start, end).

    `phrase` and `segment` [b, n + 1, n + 1] are probabilities.
    """
    place = np.arange(phrase.shape[1])
    size = place - place[:, None]
    may_be_segment = (size >= _SHORTEST) & (size <= LONGEST)
    return best_spans(
        phrase - np.float32(decoding.phrase),
        np.float32(decoding.weight) * (segment - np.float32(decoding.segment)) * may_be_segment,
        np.full(len(phrase), len(place) - 1),
    )

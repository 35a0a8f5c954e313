"""Sentences as numbers, and many of them side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from annotation.preparation.embedded.wordpieces import Pieces, Shape, shape
from tools.parser_training.agreement import segments
from tools.parser_training.network import Batch
from tools.parser_training.treebanks import Sentence, to_tree

# What the parser tells apart; all other labels are the first.
LABELS = ("X", "S", "SBAR", "NP", "VP", "PP", "ADJP", "ADVP", "QP", "PRN")
_LABEL_OF = {"SQ": "S", "SINV": "S", "SBARQ": "SBAR", "NX": "NP", "NAC": "NP", "WHNP": "NP"} | {
    "WHPP": "PP",
    "WHADJP": "ADJP",
    "WHADVP": "ADVP",
}
Integers = NDArray[np.int64]
# Longer sentences are few, and dear: attention and spans cost their square.
LONGEST_SENTENCE = 100


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers; `spans` has rows (start, end, label, is it a segment)."""

    pieces: list[tuple[int, ...]]
    shapes: list[int]
    tags: Integers
    spans: Integers


def example(sentence: Sentence, pieces: Pieces, tags: dict[str, int]) -> Example:
    taken = segments(to_tree(sentence))
    rows = [
        (start, end, label_number(label), tuple(range(start, end)) in taken)
        for start, end, label in sentence.spans
    ]
    return Example(
        pieces=[(pieces.begin,), *map(pieces, sentence.tokens), (pieces.end,)],
        shapes=[Shape.EDGE, *map(shape, sentence.tokens), Shape.EDGE],
        tags=np.array([tags.get(tag, 0) for tag in sentence.tags], dtype=np.int64),
        spans=np.array(rows, dtype=np.int64).reshape(-1, 4),
    )


def label_number(label: str) -> int:
    label = _LABEL_OF.get(label, label)
    return LABELS.index(label) if label in LABELS else 0


def in_batches(
    examples: Sequence[Example], places: int, random: Random | None = None
) -> Iterator[list[Example]]:
    """Yield all examples in batches of like length, of about so many words with padding.

    With `random`, which sentences stand together and the order of batches is by chance.
    """

    def size(number: int) -> float:
        length = len(examples[number].pieces)
        return length * random.uniform(0.9, 1.1) if random else length

    batches: list[list[Example]] = [[]]
    for number in sorted(range(len(examples)), key=size):
        longest = len(examples[number].pieces)
        if len(batches[-1]) * longest >= places:
            batches.append([])
        batches[-1].append(examples[number])
    if random:
        random.shuffle(batches)
    yield from filter(None, batches)


def together(examples: Sequence[Example]) -> Batch:
    """Put examples side by side for the network."""
    lengths = [len(each.shapes) - 2 for each in examples]
    longest = max(lengths) + 2
    most = max(len(word) for each in examples for word in each.pieces)
    pieces = np.zeros((len(examples), longest, most), dtype=np.int64)
    shapes = np.zeros((len(examples), longest), dtype=np.int64)
    for row, each in enumerate(examples):
        shapes[row, : len(each.shapes)] = each.shapes
        for column, word in enumerate(each.pieces):
            pieces[row, column, : len(word)] = word
    mask = np.arange(longest) < np.array(lengths)[:, None] + 2
    return Batch(
        torch.from_numpy(pieces), torch.from_numpy(shapes), torch.from_numpy(mask), lengths
    )

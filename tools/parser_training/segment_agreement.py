"""How well segments of 3 to 6 tokens agree with a gold standard: what a parser is for here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.trees import Node
from tools.parser_training.treebanks import Sentence, to_tree

SHORTEST, LONGEST = 3, 6
# The positions of each segment's tokens.
Segments = set[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of segments: found, in the gold standard, and in both."""

    found: int
    gold: int
    both: int

    @property
    def precision(self) -> float:
        return self.both / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.both / (self.found + self.gold) if self.found + self.gold else 0.0

    def __str__(self) -> str:
        return (
            f"precision {100 * self.precision:.1f}, recall {100 * self.recall:.1f}, "
            f"F1 {100 * self.f1:.1f} ({self.found} found, {self.gold} in the gold standard)"
        )


def compare(found: Sequence[Segments], gold: Sequence[Segments]) -> Agreement:
    """Compare the segments of the same sentences."""
    return Agreement(
        sum(map(len, found)),
        sum(map(len, gold)),
        sum(len(a & b) for a, b in zip(found, gold, strict=True)),
    )


def segments(tree: Node) -> Segments:
    return set(extract_segments(tree, SHORTEST, LONGEST))


def gold_segments(sentences: Iterable[Sentence]) -> list[Segments]:
    return [segments(to_tree(sentence)) for sentence in sentences]

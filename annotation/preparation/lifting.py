"""Projective trees of dependencies: a word that a gap separates from its phrase attaches higher."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from annotation.formats.conllu import Word

# Deeper words attach higher, so that recursive readers do not exceed Python's stack.
_DEEPEST = 20


@dataclass(slots=True)
class Head:
    """A word with its dependents, nearest first; it covers the words `first` to `last`.

    Words are counted without punctuation marks.
    """

    position: int
    word: Word
    first: int
    last: int
    left: list["Head"] = field(default_factory=list)
    right: list["Head"] = field(default_factory=list)

    def take(self, dependents: list["Head"]) -> list["Head"]:
        """Attach the dependents that are adjacent; return those that are separated by a gap."""
        waiting = sorted(dependents, key=lambda each: each.first)
        before = [each for each in waiting if each.last < self.first]
        after = [each for each in waiting if each.first > self.last]
        while before and before[-1].last == self.first - 1:
            self.left.append(before.pop())
            self.first = self.left[-1].first
        while after and after[0].first == self.last + 1:
            self.right.append(after.pop(0))
            self.last = self.right[-1].last
        return before + after


def projective(words: Sequence[Word], marks: Collection[int]) -> list[Head]:
    """Return the roots of the tree of the words without marks, from left to right.

    A dependent that is separated from its head's phrase attaches to the head's head: this is
    pseudo-projective lifting (Nivre and Nilsson 2005), from the leaves upwards. The heads must form
    one or several trees.
    """
    order, heads = _from_the_top(words)
    numbers = {i: n for n, i in enumerate(i for i in range(len(words)) if i not in marks)}
    waiting: dict[int, list[Head]] = {-1: []}
    for position in reversed(order):
        if position not in marks:
            head = Head(position, words[position], numbers[position], numbers[position])
            apart = head.take(waiting.pop(position, []))
            waiting.setdefault(heads[position], []).extend([*apart, head])
    return sorted(waiting[-1], key=lambda each: each.first)


def _from_the_top(words: Sequence[Word]) -> tuple[list[int], list[int]]:
    """Return the positions, heads before dependents, and the heads limited to _DEEPEST levels."""
    dependents: dict[int, list[int]] = {}
    for position, word in enumerate(words):
        dependents.setdefault(word.head, []).append(position)
    order = list(dependents.get(-1, ()))
    heads = [word.head for word in words]
    depths = dict.fromkeys(order, 0)
    for position in order:
        for dependent in dependents.get(position, ()):
            if depths[position] == _DEEPEST:
                heads[dependent] = heads[position]
            depths[dependent] = min(depths[position] + 1, _DEEPEST)
            order.append(dependent)
    return order, heads

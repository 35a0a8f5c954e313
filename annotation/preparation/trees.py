"""Constituency trees of plain nodes, and how they are read and written in brackets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
# No sentence is this deep, and Python's stack allows no recursion of many times as much.
_DEEPEST = 200
# Traces: nodes of a treebank that stand for no word.
_EMPTY = "-NONE-"


@dataclass(frozen=True, slots=True)
class Node:
    """A constituent, or a leaf when `token` (a 0-based position in its sentence) is set."""

    label: str
    children: tuple["Node", ...] = ()
    token: int | None = None


def leaf(token: int, label: str = "") -> Node:
    return Node(label, (), token)


def leaves(node: Node) -> tuple[int, ...]:
    """Return the token positions below a node, from left to right."""
    found = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.token is not None:
            found.append(current.token)
        waiting.extend(reversed(current.children))
    return tuple(found)


def unescape(word: str) -> str:
    """Return the bracket that a treebank writes as -LRB- and the like, or the word as it is."""
    return _ESCAPES.get(word, word)


def from_bracketed(line: str) -> tuple[Node, list[str]]:
    """Read a tree such as "(ROOT (NP (DT the) (NN dog)))" and its words, unescaped.

    Roots without a label and traces (-NONE-) are understood; a blank line is a tree without
    leaves. Raises ValueError, saying what is wrong, when the brackets are not one tree.
    """
    if not line.strip():
        return Node("ROOT"), []
    from nltk.tree import Tree

    try:
        tree = Tree.fromstring(line, remove_empty_top_bracketing=True)
        words: list[str] = []
        if tree.height() > _DEEPEST:
            raise ValueError(f"the brackets are nested more than {_DEEPEST} deep")
        return _node(tree, words) or Node("ROOT"), words
    except ValueError as problem:
        raise ValueError(" ".join(str(problem).split())) from problem
    except RecursionError as problem:
        raise ValueError("the brackets are nested too deeply") from problem


def _node(tree: Any, words: list[str]) -> Node | None:
    """Convert an nltk tree, collecting its words; None for what holds no word."""
    if isinstance(tree, str):
        words.append(unescape(tree).replace("\\/", "/").replace("\\*", "*"))
        return leaf(len(words) - 1, tree)
    if tree.label() == _EMPTY:
        return None
    children = tuple(node for child in tree if (node := _node(child, words)))
    return Node(tree.label(), children) if children else None


def to_bracketed(node: Node, tokens: Sequence[str]) -> str:
    """Write a tree in brackets on one line, with the tokens as its words, escaped."""
    if node.token is not None:
        # A token of a text that came tokenised may be empty or hold a no-break space.
        word = "_".join(tokens[node.token].split()) or "_"
        return word.replace("(", "-LRB-").replace(")", "-RRB-")
    inside = " ".join(to_bracketed(child, tokens) for child in node.children)
    return f"({node.label} {inside})"
